/** Drills: texts that a phone sends to a phone of the account, so that what comes back proves the chain. */
import * as v from 'valibot'
import { SimSlot } from '#contracts/message.ts'
import { noted } from '#contracts/noted.ts'
import { DeviceId, DrillId, Instant, MessageId } from '#contracts/primitives.ts'

export const DRILL_OUTCOMES = ['proven', 'not_sent', 'sent_not_received', 'late', 'skipped'] as const
export type DrillOutcome = (typeof DRILL_OUTCOMES)[number]

const DRILL_PERIODS = ['day', 'week', 'month'] as const
export type DrillPeriod = (typeof DRILL_PERIODS)[number]

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

export interface DrillCommands {
  'drill.start': { input: PhoneReference; output: DrillResource }
  /** The last ones of a phone, newest first. */
  'drill.list': { input: PhoneReference; output: readonly DrillResource[] }
}
