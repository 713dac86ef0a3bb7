/** What people read about incidents, policies and rotas. */
import { spanWords } from '#console/time-words.ts'
import type { GroupResource } from '#contracts/group.ts'
import type { IncidentResource } from '#contracts/incident.ts'
import type { PersonResource, PolicyResource, RotaResource } from '#contracts/on-call.ts'

/** The names behind the ids that incidents, rotas and policies contain. */
export interface Names {
  readonly people: readonly PersonResource[]
  readonly rotas: readonly RotaResource[]
  readonly groups: readonly GroupResource[]
}

/** The name of a person, or of whoever else took or closed an incident. */
export function nameOf(id: string | null, people: readonly PersonResource[]): string {
  if (id === 'owner') return 'You'
  if (id === 'sender') return 'The sender'
  return people.find(one => one.id === id)?.name ?? 'Somebody who was removed'
}

/** Whom a step tells: `Ada`, `all of Kitchen`, `whoever is on call in Evenings`. */
export function targetWords(target: string, { people, rotas, groups }: Names): string {
  if (target === 'everyone') return 'everybody'
  if (target.startsWith('grp_')) return `all of ${groups.find(one => one.id === target)?.name ?? 'a group'}`
  if (!target.startsWith('rot_')) return nameOf(target, people)
  const rota = rotas.find(one => one.id === target.replace('+1', ''))?.name ?? 'a rota'
  return target.endsWith('+1') ? `whoever is next in ${rota}` : `whoever is on call in ${rota}`
}

/** `at once`, `after 5 min`. */
export function afterWords(minutes: number): string {
  return minutes === 0 ? 'at once' : `after ${spanWords(minutes * 60_000)}`
}

/** A policy in a sentence: `Ada at once; Bob after 5 min, and the phone rings`. */
export function policyWords({ steps }: Pick<PolicyResource, 'steps'>, names: Names): string {
  const told = steps.map(({ afterMinutes, tell, ring }) => {
    const who = tell.map(target => targetWords(target, names)).join(', ')
    return `${who} ${afterWords(afterMinutes)}${ring ? ', and phones ring' : ''}`
  })
  return told.join('; ')
}

type Entry = IncidentResource['timeline'][number]

/** What happened, as a sentence: `Told Ada`. Null: nothing that a person wants to read. */
export function happeningWords(
  { event, personId, detail }: Entry,
  people: readonly PersonResource[],
): string {
  const who = personId === null ? 'nobody' : nameOf(personId, people)
  const more = detail === null ? '' : ` (${detail})`
  switch (event) {
    case 'opened':
      return 'The alert came'
    case 'joined':
      return `The same alert came again${more}`
    case 'told':
      return `Text to ${who}`
    case 'failed':
      return `The text to ${who} failed${more}`
    case 'ringing':
      return `Rings ${who}`
    case 'rang':
      return `Rang ${who}`
    case 'busy':
      return `${who} was busy`
    case 'ring-failed':
      return `The ring to ${who} failed${more}`
    case 'taken':
      return `${who} took it${more}`
    case 'passed':
      return `${who} passed it on`
    case 'escalated':
      return `The next step${more}`
    case 'reopened':
      return 'It was taken for too long, and is open again'
    case 'quiet':
      return `Everybody of this step has quiet hours${more}`
    case 'nobody':
      return 'This step reached nobody'
    case 'bound':
      return `No more texts or rings: a limit is reached${more}`
    case 'unanswered':
      return 'Nobody answered'
    case 'closed':
      return personId === null ? 'It is over' : `${who} closed it`
  }
}
