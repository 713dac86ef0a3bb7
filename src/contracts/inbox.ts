/** Received texts as the API shows them. */
import * as v from 'valibot'
import { SIMS_MAX } from '#contracts/bounds.ts'
import { DeviceId, Instant } from '#contracts/primitives.ts'

export const ReceivedId = v.pipe(
  v.string(),
  v.regex(/^rcv_[0-9A-HJKMNP-TV-Z]{26}$/, 'must be the id of a received text (rcv_…)'),
)

export const ReceivedResource = v.object({
  /** Equals `messageId` in the event `sms.received`. */
  id: ReceivedId,
  /** A phone number, or a name where the carrier sent one. */
  from: v.string(),
  message: v.string(),
  receivedAt: Instant,
  deviceId: DeviceId,
  /** Slot of the SIM that received the text, counted from 1; null: unknown. */
  simSlot: v.nullable(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(SIMS_MAX))),
})
export type ReceivedResource = v.InferOutput<typeof ReceivedResource>
