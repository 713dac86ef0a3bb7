/** What a phone reported and did over days, as the API shows it. */
import * as v from 'valibot'
import { noted } from '#contracts/noted.ts'
import { Instant } from '#contracts/primitives.ts'

/** How long half-hours of phones are kept. */
export const PHONE_HISTORY_DAYS = 30

const count = v.pipe(v.number(), v.integer(), v.minValue(0))

export const PhoneHalfHour = v.object({
  at: noted(Instant, 'When the half-hour began.'),
  battery: noted(
    v.nullable(v.pipe(v.number(), v.minValue(0), v.maxValue(100))),
    'Level at its end in percent, 0 to 100; null: unknown.',
  ),
  charging: noted(v.nullable(v.boolean()), 'Whether the phone was plugged in at its end; null: unknown.'),
  signal: noted(
    v.nullable(v.pipe(v.number(), v.integer(), v.maxValue(-1))),
    'Signal strength at its end in dBm, negative; null: unknown.',
  ),
  offlineMinutes: noted(v.pipe(count, v.maxValue(30)), 'Minutes in which the phone was offline, 0 to 30.'),
  sent: noted(count, 'Messages that the phone sent.'),
  failed: noted(count, 'Attempts to send that failed, also those that are repeated.'),
})
export type PhoneHalfHour = v.InferOutput<typeof PhoneHalfHour>
