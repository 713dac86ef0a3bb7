/** Drills: texts that a phone sends to a phone of the account, so that what comes back proves the chain. */
import * as v from 'valibot'
import { SimSlot } from '#contracts/message.ts'
import { noted } from '#contracts/noted.ts'
import { DeviceId, DrillId, Instant, MessageId } from '#contracts/primitives.ts'

const DAY_MS = 86_400_000

export const DRILL_OUTCOMES = ['proven', 'not_sent', 'sent_not_received', 'late', 'skipped'] as const
export type DrillOutcome = (typeof DRILL_OUTCOMES)[number]

const DRILL_PERIODS = ['day', 'week', 'month'] as const
export type DrillPeriod = (typeof DRILL_PERIODS)[number]

/** How long a phone counts as proven without a plan: a monthly drill that was late is within it. */
const PROVEN_DAYS = 35
/** With a plan: two of its periods. */
const PROVEN_DAYS_OF: Readonly<Record<DrillPeriod, number>> = { day: 2, week: 14, month: 62 }

/** How many days a phone with this plan, or without one, counts as proven. */
export function provenDays(plan: { readonly every: DrillPeriod } | null): number {
  return plan === null ? PROVEN_DAYS : PROVEN_DAYS_OF[plan.every]
}

export const DrillResource = v.object({
  id: noted(DrillId, 'The drill, `dri_…`.'),
  at: noted(Instant, 'When it began.'),
  deviceId: noted(DeviceId, 'The phone that sends the text.'),
  toDeviceId: noted(v.nullable(DeviceId), 'The phone that must get it; null: it was skipped before.'),
  messageId: noted(v.nullable(MessageId), 'The text, a message of the kind `drill`; null: it was skipped.'),
  by: noted(v.picklist(['plan', 'hand']), 'plan: the plan of the phone. hand: a person or a program.'),
  outcome: noted(
    v.nullable(v.picklist(DRILL_OUTCOMES)),
    'proven: the text came back. not_sent: it did not leave. sent_not_received: it left and did not come ' +
      'back in 15 minutes. late: it came after that. skipped: it could not begin, which is no failure. ' +
      'Null: it is under way.',
  ),
  reason: noted(v.nullable(v.string()), 'Why, in a sentence; its wording may change. Null: nothing to say.'),
  tookMs: noted(
    v.nullable(v.pipe(v.number(), v.integer(), v.minValue(0))),
    'Milliseconds from the order to send until the text was handed in; null: not known.',
  ),
  endedAt: noted(v.nullable(Instant), 'When it ended; null: it is under way.'),
})
export type DrillResource = v.InferOutput<typeof DrillResource>

const plan = {
  every: noted(v.picklist(DRILL_PERIODS, 'must be day, week or month'), 'How often a drill runs.'),
  at: noted(
    v.pipe(
      v.string('must be text'),
      v.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'must be an hour and a minute, like 10:00'),
    ),
    'The hour, in the time zone of the gateway’s machine; a drill runs up to ten minutes later.',
  ),
}

/** When drills of a phone run by themselves. */
export const DrillPlan = v.object({
  ...plan,
  to: noted(
    v.optional(v.nullable(v.string('must be text')), null),
    'The phone that gets the texts; null: the next phone that hands in texts and whose number is known.',
  ),
  simSlot: noted(v.optional(v.nullable(SimSlot), null), 'The SIM that sends, counted from 1; null: any.'),
})
export type DrillPlan = v.InferOutput<typeof DrillPlan>

/** The same in answers. */
export const DrillPlanShown = v.object({
  ...plan,
  to: noted(v.nullable(DeviceId), 'The phone that gets the texts; null: the gateway chooses.'),
  simSlot: noted(v.nullable(v.number()), 'The SIM that sends, counted from 1; null: any.'),
})

/** What is proven of a phone. */
export const ProvenShown = v.object({
  sends: noted(v.nullable(Instant), 'When a text of this phone last came back; null: never.'),
  receives: noted(v.nullable(Instant), 'When it last handed in the text of a drill; null: never.'),
  tookMs: noted(
    v.nullable(v.pipe(v.number(), v.integer(), v.minValue(0))),
    'Milliseconds that its last proven text took; null: not known.',
  ),
})

interface PhoneReference {
  readonly accountId: string
  readonly deviceId: string
}

/** Whether a text of a phone, as answers show it, came back lately. */
export function isProvenAt(
  {
    drill,
    proven,
  }: {
    readonly drill: { readonly every: DrillPeriod } | null
    readonly proven: { readonly sends: string | null }
  },
  nowMs: number,
): boolean {
  return proven.sends !== null && nowMs - Date.parse(proven.sends) < provenDays(drill) * DAY_MS
}

export interface DrillCommands {
  'drill.start': { input: PhoneReference; output: DrillResource }
  /** The last ones of a phone, newest first. */
  'drill.list': { input: PhoneReference; output: readonly DrillResource[] }
}
