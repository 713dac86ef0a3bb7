/** Incidents as the API shows them: alerts that wait until somebody takes them. */
import * as v from 'valibot'
import { noted } from '#contracts/noted.ts'
import { IncidentId, Instant, WebhookId, whole } from '#contracts/primitives.ts'
import { ALERT_SEVERITIES } from '#contracts/webhook.ts'

export const INCIDENT_STATES = ['open', 'taken', 'unanswered', 'closed'] as const
export type IncidentState = (typeof INCIDENT_STATES)[number]

/**
 * What happened to an incident. `told`: a text about it was sent to the person; `failed`: that text failed
 * for good. `ringing`: a ring began; `rang`, `busy` or `ring-failed` is its end. `passed`: the person passed
 * it on, or the owner did. `reopened`: the time of the taker is over. `quiet`: everybody of the step is
 * quiet, `detail` says until when. `nobody`: the step reached nobody. `bound`: a bound was reached.
 */
export const INCIDENT_HAPPENINGS = [
  'opened',
  'joined',
  'told',
  'failed',
  'ringing',
  'rang',
  'busy',
  'ring-failed',
  'taken',
  'passed',
  'escalated',
  'reopened',
  'quiet',
  'nobody',
  'bound',
  'unanswered',
  'closed',
] as const
export type IncidentHappening = (typeof INCIDENT_HAPPENINGS)[number]

/** For how long somebody can take an incident, minutes. */
export const TAKEN_MINUTES_MAX = 10_080

const INCIDENT_STATE_NOTE =
  'open: it waits for somebody. taken: somebody has it. unanswered: all rounds are over, and nobody took ' +
  'it. closed: it is over.'
const WHO_NOTE = 'The id of a person; `owner`: in the console or by the API'

const IncidentNext = v.object({
  at: noted(Instant, 'When it comes. One in the past waits for a phone that can send.'),
  tell: noted(
    v.array(v.string()),
    'Whom it tells, as in the steps of the policy; empty: all rounds are over then, and it is `unanswered`.',
  ),
  ring: noted(v.boolean(), 'Whether their phones ring.'),
})

export const IncidentResource = v.object({
  id: noted(IncidentId, 'The identifier, `inc_…`; identifiers sort by time.'),
  webhookId: noted(v.nullable(WebhookId), 'The webhook that got the alert; null: a rehearsal.'),
  policyId: noted(v.string(), 'The policy, `pol_…`, as it was when the incident opened.'),
  state: noted(v.picklist(INCIDENT_STATES), INCIDENT_STATE_NOTE),
  number: noted(
    v.nullable(v.pipe(v.number(), v.integer(), v.minValue(2), v.maxValue(99))),
    'The number by which an answer names it; null: it is closed.',
  ),
  text: noted(v.string(), 'The text of the alert; empty after `messages.retention_days`.'),
  key: noted(v.nullable(v.string()), 'What it is about: alerts with this key join; null: not known.'),
  severity: noted(v.nullable(v.picklist(ALERT_SEVERITIES)), 'The worst severity; null: not known.'),
  alerts: noted(v.pipe(v.number(), v.integer(), v.minValue(1)), 'How many alerts it stands for.'),
  openedAt: noted(Instant, 'When the first alert came.'),
  takenBy: noted(v.nullable(v.string()), `Who has it. ${WHO_NOTE}; null: nobody.`),
  takenAt: noted(v.nullable(Instant), 'Since when somebody has it.'),
  takenUntil: noted(v.nullable(Instant), 'When it opens again unless it is over.'),
  closedAt: noted(v.nullable(Instant), 'When it was closed; null: it is not.'),
  closedBy: noted(
    v.nullable(v.string()),
    `Who closed it. ${WHO_NOTE}; \`sender\`: the alert is over; null: it is not closed, or by itself.`,
  ),
  next: noted(v.nullable(IncidentNext), 'What comes next if nobody takes it; null: it is not open.'),
  timeline: noted(
    v.array(
      v.object({
        at: noted(Instant, 'When it happened.'),
        event: noted(v.picklist(INCIDENT_HAPPENINGS), 'What happened.'),
        personId: noted(v.nullable(v.string()), 'The person whom it is about; null: none.'),
        messageId: noted(v.nullable(v.string()), 'The text that was sent; null: none.'),
        detail: noted(v.nullable(v.string()), 'More in words; the wording may change.'),
      }),
    ),
    'What happened, oldest first, at most 200 entries.',
  ),
})
export type IncidentResource = v.InferOutput<typeof IncidentResource>

const takenMinutes = whole(1, TAKEN_MINUTES_MAX)

export const TakeIncidentRequest = v.object({
  personId: noted(v.optional(v.nullable(v.string('must be text')), null), 'Who takes it; null: the owner.'),
  minutes: noted(
    v.optional(v.nullable(takenMinutes), null),
    'For how long, 1 to 10080 minutes; null: as the policy says.',
  ),
})

export interface IncidentReference {
  readonly accountId: string
  readonly incidentId: string
}

/** The writer's commands for incidents. */
export interface IncidentCommands {
  'incident.take': {
    input: IncidentReference & { readonly personId: string | null; readonly minutes: number | null }
    output: IncidentResource
  }
  /** The next step comes at once. */
  'incident.next': { input: IncidentReference; output: IncidentResource }
  'incident.close': { input: IncidentReference; output: IncidentResource }
  /** Opens an incident that walks all steps of the policy. */
  'policy.rehearse': {
    input: { readonly accountId: string; readonly policyId: string }
    output: IncidentResource
  }
  /** Opens an incident with this text, without a webhook. */
  'policy.alert': {
    input: { readonly accountId: string; readonly policyId: string; readonly text: string }
    output: IncidentResource
  }
}
