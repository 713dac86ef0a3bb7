/** Received texts as the API shows them. */
import * as v from 'valibot'
import { SIMS_MAX } from '#contracts/bounds.ts'
import { noted } from '#contracts/noted.ts'
import { DeviceId, Instant } from '#contracts/primitives.ts'

export const ReceivedId = v.pipe(
  v.string(),
  v.regex(/^rcv_[0-9A-HJKMNP-TV-Z]{26}$/, 'must be the id of a received text (rcv_…)'),
)

export const ReceivedResource = v.object({
  id: noted(ReceivedId, 'The identifier, `rcv_…`. The event `sms.received` has it as `messageId`.'),
  from: noted(
    v.nullable(v.string()),
    'The sender: a phone number, or a name where the carrier sent one; null: unknown.',
  ),
  message: noted(v.string(), 'The text.'),
  receivedAt: noted(Instant, 'When the gateway got the text from the phone.'),
  sentAt: noted(
    v.nullable(Instant),
    'When the text was sent, by the clock of the network or the phone, which may be wrong; null: unknown.',
  ),
  deviceId: noted(DeviceId, 'The phone, `dev_…`.'),
  simSlot: noted(
    v.nullable(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(SIMS_MAX))),
    'Slot of the SIM that received the text, counted from 1; null: unknown.',
  ),
})
export type ReceivedResource = v.InferOutput<typeof ReceivedResource>
