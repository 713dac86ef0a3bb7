/** Changes incidents: asks the model, then does what it wants, in the same transaction. */
import { describeIncident } from '#domain/incident/describe-incident.ts'
import { freeNumber } from '#domain/incident/free-number.ts'
import type { Incident } from '#domain/incident/incident.ts'
import type {
  IncidentEffect,
  IncidentEvent,
  IncidentFacts,
  IncidentInput,
  IncidentOutcome,
} from '#domain/incident/incident-events.ts'
import { openIncident, stepIncident } from '#domain/incident/step-incident.ts'
import { plainText } from '#domain/message/plain-text.ts'
import { writeEvent } from '#domain/notification/write-event.ts'
import type { Person } from '#domain/on-call/person.ts'
import type { Policy } from '#domain/on-call/policy.ts'
import { newMessage, storeMessage } from '#domain/sending/accept-message.ts'
import { incidentFacts } from '#domain/sending/incident-facts.ts'
import type { World } from '#domain/world.ts'

/** A text that nobody could send for a day is no news any more. */
const INCIDENT_TEXT_TTL_MS = 86_400_000
/** A number rests for so long after its incident is closed. */
const NUMBER_REST_MS = 3_600_000

/** Opens an incident for an alert, or a rehearsal, and tells its first step. */
export function beginIncident(
  world: World,
  policy: Policy,
  input: Pick<IncidentInput, 'webhookId' | 'text' | 'guess' | 'key' | 'severity' | 'isRehearsal'>,
): Incident {
  const { wallMs } = world.now
  const { accountId, steps, rounds, takenForMinutes } = policy
  const begun = {
    ...input,
    id: world.source.id('inc_', wallMs),
    accountId,
    policyId: policy.id,
    plan: { steps, rounds, takenForMinutes },
    number: freeNumber(world.incidents.recent(accountId, wallMs - NUMBER_REST_MS), wallMs),
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
  incidents.save(tx, incident)
  for (const effect of outcome.effects) if (effect.type === 'notify') publish(world, incident, effect.event)
  const { id, dueAt } = incident
  if (dueAt !== null && dueAt !== before?.dueAt)
    deadlines.add(now.monoMs + Math.max(0, dueAt - now.wallMs), 'incident', id)
  return incident
}

/** Does what the model wants. Returns what it wants to hear about that. */
function act(world: World, incident: Incident, effect: IncidentEffect): IncidentEvent | null {
  const { deadlines, now, replyLimit } = world
  switch (effect.type) {
    case 'tell': {
      const { personId, isStep } = effect
      const messageId = textPersonOf(world, incident, effect)
      return messageId === null ? null : { type: 'told', personId, messageId, isStep }
    }
    case 'reply':
      if (!effect.isUseless || replyLimit.take(effect.personId, now.monoMs))
        textPersonOf(world, incident, effect)
      return null
    // Rings go through deadlines, because the room of rings needs this one.
    case 'ring':
      deadlines.add(now.monoMs, 'call', `${incident.id}/${effect.personId}/${incident.rings}`)
      return null
    case 'hang-up':
      deadlines.add(now.monoMs, 'hang-up', incident.id)
      return null
    // Events are written at the end. The rules of health find what nobody took.
    case 'notify':
    case 'alarm':
      return null
  }
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
  { accountId, webhookId, policyId }: Incident,
  { personId, text, guess }: Pick<Extract<IncidentEffect, { type: 'tell' }>, 'personId' | 'text' | 'guess'>,
): string | null {
  const person = world.onCall.person(accountId, personId)
  const target = world.onCall.policy(accountId, policyId)?.deviceId ?? null
  return person === undefined ? null : textPerson(world, { person, text, guess, webhookId, target })
}

interface TextToPerson {
  readonly person: Person
  readonly text: string
  readonly guess?: boolean
  readonly webhookId: string | null
  /** The phone or group of phones of the policy; absent or null: that of the webhook. */
  readonly target?: string | null
}

/**
 * Texts a person. The day's quota counts the text and does not stop it. Null: too many messages are open, so
 * that it cannot be sent.
 */
export function textPerson(world: World, told: TextToPerson): string | null {
  const { person, text, guess = false, webhookId, target } = told
  const { fleet, settings, usage, tx, now } = world
  const { accountId, phoneNumber, country } = person
  if (fleet.messages.size >= settings.messagesOpenMax) return null
  usage.spend(tx, accountId, { kind: 'sms', count: 1, limit: -1, wallMs: now.wallMs })
  const named = target ?? (webhookId === null ? null : (world.webhooks.get(webhookId)?.deviceId ?? null))
  const groupId = fleet.groupOf(accountId, named)?.row.id ?? null
  const { monoMs } = now
  const { offlineAfterMs } = settings
  const preferred = named === null ? undefined : fleet.phoneOf(accountId, named)
  const canSend = preferred?.canSendSoon(monoMs, offlineAfterMs) === true
  const phone = canSend ? preferred : fleet.choose(accountId, { country, monoMs, offlineAfterMs, groupId })
  const ours = { kind: 'webhook', deviceId: groupId, ttlMs: INCIDENT_TEXT_TTL_MS, priority: 'high' } as const
  const input = plainText({ accountId, phoneNumber, country, text, ...ours })
  const message = newMessage(world, { ...input, guess, ...(webhookId !== null && { webhookId }) }, phone)
  storeMessage(world, message)
  return message.id
}
