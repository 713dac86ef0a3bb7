/** Changes incidents: asks the model, then does what it wants, in the same transaction. */
import { describeIncident } from '#domain/incident/describe-incident.ts'
import { freeNumber } from '#domain/incident/free-number.ts'
import { type Incident, isUrgent } from '#domain/incident/incident.ts'
import type {
  IncidentEffect,
  IncidentEvent,
  IncidentFacts,
  IncidentInput,
  IncidentOutcome,
  ReplyWay,
} from '#domain/incident/incident-events.ts'
import { openIncident, stepIncident } from '#domain/incident/step-incident.ts'
import { plainText } from '#domain/message/message-fields.ts'
import { writeEvent } from '#domain/notification/write-event.ts'
import type { Person, Policy } from '#domain/on-call/on-call-store.ts'
import { noteUse, type RecentKind } from '#domain/on-call/recent-use.ts'
import { endQueued } from '#domain/sending/cancel-message.ts'
import { incidentFacts } from '#domain/sending/incident-facts.ts'
import { hasRoom, sendText } from '#domain/sending/send-text.ts'
import { roomOfDay, textBounds } from '#domain/sending/text-bounds.ts'
import type { World } from '#domain/world.ts'

/** A text that nobody could send for a day is no news any more. */
const INCIDENT_TEXT_TTL_MS = 86_400_000

/** Opens an incident for an alert, or a rehearsal, and tells its first step. The account has room for it. */
export function beginIncident(
  world: World,
  policy: Policy,
  input: Omit<IncidentInput, 'id' | 'accountId' | 'policyId' | 'plan' | 'number'>,
): Incident {
  const { wallMs } = world.now
  const { accountId, steps, rounds, takenForMinutes } = policy
  const begun = {
    ...input,
    id: world.source.id('inc_', wallMs),
    accountId,
    policyId: policy.id,
    plan: { steps, rounds, takenForMinutes },
    number: freeNumber(world.incidents.numbers(accountId), wallMs),
  }
  const facts = incidentFacts(world, begun)
  return carryOut(world, { before: null, outcome: openIncident(begun, facts), facts })
}

/** Lets an event happen to an incident. Returns it as it is then. */
export function changeIncident(world: World, before: Incident, event: IncidentEvent): Incident {
  const facts = incidentFacts(world, before)
  return carryOut(world, { before, outcome: stepIncident(before, event, facts), facts })
}

interface Step {
  readonly before: Incident | null
  readonly outcome: IncidentOutcome
  readonly facts: IncidentFacts
}

function carryOut(world: World, { before, outcome, facts }: Step): Incident {
  const { incidents, tx, now, deadlines } = world
  let { incident } = outcome
  for (const effect of outcome.effects) {
    const event = act(world, incident, effect)
    if (event !== null) incident = stepIncident(incident, event, facts).incident
  }
  if (incident === before) return incident
  incidents.save(tx, incident, before)
  for (const effect of outcome.effects) {
    if (effect.type === 'notify') publish(world, incident, effect.event)
    if (effect.type === 'withdraw') withdrawTexts(world, effect.messageIds)
  }
  const { id, dueAt } = incident
  if (dueAt !== null && dueAt !== before?.dueAt)
    deadlines.add(now.monoMs + Math.max(0, dueAt - now.wallMs), 'incident', id)
  return incident
}

/** Takes back the texts that wait to tell the end of a closed incident. Returns whom they were for. */
export function takeBackEnd(world: World, incident: Incident): readonly string[] {
  const { isWaiting } = incidentFacts(world, incident)
  const waiting = incident.timeline.filter(({ messageId }) => messageId !== null && isWaiting(messageId))
  withdrawTexts(
    world,
    waiting.flatMap(({ messageId }) => messageId ?? []),
  )
  return waiting.flatMap(({ personId }) => personId ?? [])
}

function withdrawTexts(world: World, messageIds: readonly string[]): void {
  for (const open of messageIds.map(id => world.fleet.messages.get(id)))
    if (open !== undefined) endQueued(world, open, 'CANCELLED')
}

/** Does what the model wants. Returns what it wants to hear about that. */
function act(world: World, incident: Incident, effect: IncidentEffect): IncidentEvent | null {
  const { deadlines, now } = world
  switch (effect.type) {
    case 'tell': {
      const { personId, isStep, counts, isLastOf } = effect
      const messageId = textPersonOf(world, incident, effect)
      if (messageId === null) return null
      note(world, incident, { kind: counts ? 'told' : 'ended', personId })
      if (isLastOf === 'hour') note(world, incident, { kind: 'hour-over', personId })
      if (isLastOf === 'day') note(world, incident, { kind: 'day-over', personId, isDay: true })
      return { type: 'told', personId, messageId, isStep }
    }
    case 'reply': {
      const { accountId } = incident
      const { personId, isUseless } = effect
      const asked = { accountId, personId, isUseless, isUrgent: isUrgent(incident) }
      if (mayReply(world, asked)) textPersonOf(world, incident, effect)
      return null
    }
    // Rings go through deadlines, because the room of rings needs this one.
    case 'ring':
      note(world, incident, { kind: 'rang', personId: effect.personId })
      deadlines.add(now.monoMs, 'call', `${incident.id}/${effect.personId}/${incident.rings}`)
      return null
    case 'hang-up':
      deadlines.add(now.monoMs, 'hang-up', incident.id)
      return null
    // Texts are taken back, and events written, at the end. The rules of health find what nobody took.
    case 'withdraw':
    case 'notify':
    case 'alarm':
      return null
  }
}

interface Noted {
  readonly kind: RecentKind
  readonly personId: string
  readonly isDay?: boolean
}

/** Counts what an incident did to a person. */
function note(world: World, incident: Incident, { personId, ...noted }: Noted): void {
  const { accountId, webhookId, policyId, isRehearsal } = incident
  const sourceId = isRehearsal ? null : (webhookId ?? policyId)
  noteUse(world, { ...noted, accountId, subjectId: personId, sourceId, isUrgent: isUrgent(incident) })
}

interface AskedReply {
  readonly accountId: string
  readonly personId: string
  readonly isUseless: boolean
  readonly isUrgent: boolean
}

/** Counts a reply to a person. False: a bound holds it back. */
export function mayReply(world: World, { accountId, personId, isUseless, isUrgent }: AskedReply): boolean {
  const use = isUseless ? 'useless' : 'replied'
  if (textBounds(world, accountId)({ personId, use, isUrgent }) !== 'yes') return false
  const of = { accountId, subjectId: personId, sourceId: null, isUrgent }
  noteUse(world, { ...of, kind: 'replied' })
  if (isUseless) noteUse(world, { ...of, kind: 'useless' })
  return true
}

function publish(
  world: World,
  incident: Incident,
  event: Extract<IncidentEffect, { type: 'notify' }>['event'],
): void {
  const { id, accountId, webhookId, state, alerts } = incident
  const facts = { event, at: world.now.wallMs, data: describeIncident(incident) }
  writeEvent(world, { accountId, subjectId: id, ownUrl: null, facts })
  const level = event === 'incident.unanswered' ? 'warn' : 'info'
  world.effects.push({ kind: 'log', level, event, fields: { incidentId: id, webhookId, state, alerts } })
}

/** Null: the person was removed, or too many messages are open. */
function textPersonOf(
  world: World,
  incident: Incident,
  {
    personId,
    ...told
  }: Pick<Extract<IncidentEffect, { type: 'reply' }>, 'personId' | 'text' | 'guess' | 'via'> & {
    readonly sendAt?: number | null
  },
): string | null {
  const { accountId, webhookId, policyId } = incident
  const person = world.onCall.person.find(accountId, personId)
  const target = world.onCall.policy.find(accountId, policyId)?.deviceId ?? null
  if (person === undefined) return null
  return textPerson(world, { ...told, person, webhookId, target, isUrgent: isUrgent(incident) })
}

interface TextToPerson {
  readonly person: Person
  readonly text: string
  readonly guess?: boolean
  /** When it shall leave; absent or null: at once. */
  readonly sendAt?: number | null
  readonly webhookId: string | null
  /** Whether the alert is critical, or of unknown severity. */
  readonly isUrgent: boolean
  /** The phone or group of phones of the policy; absent or null: that of the webhook. */
  readonly target?: string | null
  /** It replies to a text that came this way, and goes back so, if that phone can send. */
  readonly via?: ReplyWay
}

/**
 * Texts a person. Call `textBounds` first: the day's quota counts the text and does not stop it. Null: too
 * many messages are open, so that it cannot be sent.
 */
export function textPerson(world: World, told: TextToPerson): string | null {
  const { person, text, guess = false, sendAt = null, webhookId, target, isUrgent, via } = told
  const { fleet, settings, now } = world
  const { accountId, phoneNumber, country } = person
  if (!hasRoom(world, accountId)) return null
  if (roomOfDay(world, accountId).plan <= 0)
    noteUse(world, { accountId, kind: 'extra', subjectId: accountId, sourceId: null, isUrgent, isDay: true })
  const named = target ?? (webhookId === null ? null : (world.webhooks.get(webhookId)?.deviceId ?? null))
  const groupId = fleet.groupOf(accountId, named)?.row.id ?? null
  const { monoMs } = now
  const { offlineAfterMs } = settings
  const ready = (id: string | null | undefined) => {
    const phone = id == null ? undefined : fleet.phoneOf(accountId, id)
    return phone?.canSendSoon(monoMs, offlineAfterMs) === true ? phone : undefined
  }
  const back = ready(via?.deviceId)
  const way = back === undefined || via === undefined ? { deviceId: groupId } : via
  const phone = back ?? ready(named) ?? fleet.choose(accountId, { country, monoMs, offlineAfterMs, groupId })
  const ours = { kind: 'webhook', ttlMs: INCIDENT_TEXT_TTL_MS, priority: 'high' } as const
  const asked = plainText({
    accountId,
    phoneNumber,
    country,
    text,
    guess,
    sendAt,
    webhookId,
    ...ours,
    ...way,
  })
  return sendText(world, { ...asked, phone, isOwed: true }).id
}
