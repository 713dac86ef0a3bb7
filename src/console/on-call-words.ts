/** What people read about incidents, policies and rotas. */

import { t } from '#console/language.ts'
import { clockWords, spanWords } from '#console/time-words.ts'
import { reasonWords } from '#console/words-of-states.ts'
import type { DeviceListItem } from '#contracts/device.ts'
import type { GroupResource } from '#contracts/group.ts'
import type { IncidentResource } from '#contracts/incident.ts'
import type { MessageResource } from '#contracts/message.ts'
import type { PersonResource, PolicyResource, RotaResource } from '#contracts/on-call.ts'

/** Whether a phone that can call is online. Not known: none is missed. */
export function canRing(phones: readonly Pick<DeviceListItem, 'calls' | 'status' | 'paused'>[] | undefined) {
  return phones?.some(({ calls, status, paused }) => calls && status !== 'offline' && !paused) ?? true
}

/** The names behind the ids that incidents, rotas and policies contain. */
export interface Names {
  readonly people: readonly PersonResource[]
  readonly rotas: readonly RotaResource[]
  readonly groups: readonly GroupResource[]
}

/** The name of a person, or of whoever else took or closed an incident. */
export function nameOf(id: string | null, people: readonly PersonResource[]): string {
  if (id === 'owner') return t('An owner')
  if (id === 'sender') return t('The sender')
  return people.find(one => one.id === id)?.name ?? t('Somebody who was removed')
}

/** Whom a step tells: `Ada`, `all of Kitchen`, `whoever is on call in Evenings`. */
export function targetWords(target: string, { people, rotas, groups }: Names): string {
  if (target === 'everyone') return t('everybody')
  if (target.startsWith('grp_'))
    return t('all of {name}', { name: groups.find(one => one.id === target)?.name ?? t('a removed group') })
  if (!target.startsWith('rot_')) return nameOf(target, people)
  const rota = rotas.find(one => one.id === target.replace('+1', ''))?.name ?? t('a removed rota')
  return target.endsWith('+1')
    ? t('whoever is next in {rota}', { rota })
    : t('whoever is on call in {rota}', { rota })
}

/**
 * The person whom a rota in a step means at this time, ms. Null: the target is no rota, or nobody can say yet
 * who it will be, because the turn ends before that time or somebody stands in for another.
 */
export function personAt(target: string, { people, rotas }: Names, at: number): string | null {
  const rota = rotas.find(({ id }) => id === target.replace('+1', ''))
  if (rota === undefined || Date.parse(rota.until) <= at) return null
  if (!target.endsWith('+1')) return nameOf(rota.onCall, people)
  const isSwapped = rota.overrides.some(({ from, until }) => Date.parse(from) <= at && Date.parse(until) > at)
  const next = rota.people[(rota.people.indexOf(rota.onCall) + 1) % rota.people.length]
  return isSwapped || next === undefined || next === rota.onCall ? null : nameOf(next, people)
}

/** `at once`, `after 5 min`. */
export function afterWords(minutes: number): string {
  return minutes === 0 ? t('at once') : t('after {span}', { span: spanWords(minutes * 60_000) })
}

/** A policy in a sentence: `Ada at once; Bob after 5 min, and the phone rings`. */
export function policyWords({ steps }: Pick<PolicyResource, 'steps'>, names: Names): string {
  const told = steps.map(({ afterMinutes, tell, ring, ringHours }) => {
    const who = tell.map(target => targetWords(target, names)).join(', ')
    const values = { who, when: afterWords(afterMinutes) }
    if (ring && ringHours)
      return t('{who} {when}, and phones ring from {from} to {to}', { ...values, ...ringHours })
    return ring ? t('{who} {when}, and phones ring', values) : t('{who} {when}', values)
  })
  return told.join('; ')
}

/** The whole of a policy in sentences, as far as its form is filled in. */
export function planWords(plan: Pick<PolicyResource, 'steps' | 'rounds'>, names: Names): string {
  if (plan.steps.some(({ tell }) => tell.length === 0)) return t('Choose who gets a text of an alert.')
  const told = policyWords(plan, names)
  const all = `${told.charAt(0).toUpperCase()}${told.slice(1)}.`
  const { rounds } = plan
  return `${all} ${t(
    'If nobody takes it then, the alert counts as unanswered.|If nobody takes it then, all of that ' +
      'comes again, {count} times in all.',
    { count: rounds },
  )}`
}

interface Known {
  readonly tone: 'wait' | 'good' | 'bad'
  readonly words: string
}

/** Says where a text is now: `still waits`, `sent 03:56`, `not sent: flight mode`. */
export function fateWords({
  status,
  timeline,
  failure,
}: Pick<MessageResource, 'status' | 'timeline' | 'failure'>): Known {
  const at = timeline.findLast(step => step.status === status)?.at
  const time = at === undefined ? '' : clockWords(at)
  if (status === 'queued') return { tone: 'wait', words: t('still waits') }
  if (status === 'sending') return { tone: 'wait', words: t('being sent') }
  if (status === 'failed')
    return { tone: 'bad', words: t('not sent: {reason}', { reason: reasonWords(failure?.code ?? '') }) }
  return {
    tone: 'good',
    words: status === 'sent' ? t('sent {time}', { time }) : t('delivered {time}', { time }),
  }
}

type Entry = IncidentResource['timeline'][number]

/** What happened, as a sentence: `Told Ada`. Null: nothing that a person wants to read. */
export function happeningWords(
  { event, personId, detail }: Entry,
  people: readonly PersonResource[],
): string {
  const who = personId === null ? t('nobody') : nameOf(personId, people)
  const more = detail === null ? '' : ` (${detail})`
  switch (event) {
    case 'opened':
      return t('The alert came')
    case 'joined':
      return t('The same alert came again{more}', { more })
    case 'told':
      return t('Text to {who}', { who })
    case 'failed':
      return t('The text to {who} failed{more}', { who, more })
    case 'ringing':
      return t('Rings {who}', { who })
    case 'rang':
      return t('Rang {who}', { who })
    case 'busy':
      return t('{who} was busy', { who })
    case 'ring-failed':
      return t('The ring to {who} failed{more}', { who, more })
    case 'taken':
      return t('{who} took it{more}', { who: personId === null ? t('An owner') : who, more })
    case 'passed':
      return t('{who} passed it on', { who: personId === null ? t('An owner') : who })
    case 'escalated':
      return t('The next step{more}', { more })
    case 'reopened':
      return t('It was taken for too long, and is open again')
    case 'quiet':
      return t('Everybody of this step has quiet hours{more}', { more })
    case 'nobody':
      return t('This step reached nobody')
    case 'bound':
      return t('No more texts or rings: a limit is reached{more}', { more })
    case 'unanswered':
      return t('Nobody answered')
    case 'closed':
      return personId === null ? t('It is over') : t('{who} closed it', { who })
  }
}
