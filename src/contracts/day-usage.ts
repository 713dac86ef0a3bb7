import * as v from 'valibot'
import { noted } from '#contracts/noted.ts'

const count = v.pipe(v.number(), v.integer(), v.minValue(0))
const ms = v.nullable(count)

/**
 * Outcomes of an account's messages of one day. `deliveryMs`: milliseconds from acceptance to the
 * delivery report; null: no message was delivered.
 */
export const DayUsage = v.object({
  day: noted(v.pipe(v.string(), v.isoDate()), 'The day, YYYY-MM-DD.'),
  accepted: noted(count, 'Accepted messages, with alerts and one-time codes.'),
  delivered: noted(count, 'Accepted messages that were delivered.'),
  sent: noted(count, 'Accepted messages that were sent and have no delivery report.'),
  failed: noted(count, 'Accepted messages that failed.'),
  received: noted(count, 'Texts received on this day.'),
  twoFactor: noted(count, 'Accepted messages that are one-time codes.'),
  alerts: noted(count, 'Accepted messages that are alerts.'),
  deliveryMs: noted(
    v.object({
      p50: noted(ms, 'Median: half of the delivered messages took at most this long; null: none delivered.'),
      p95: noted(
        ms,
        '95th percentile: 95 of 100 delivered messages took at most this long; null: none delivered.',
      ),
    }),
    'Time from acceptance to the delivery report, milliseconds; estimated from a histogram.',
  ),
  deliveredWithin: noted(
    v.object({
      s5: noted(count, 'Within 5 seconds of acceptance.'),
      s30: noted(count, 'Within 30 seconds, with those above.'),
      s300: noted(count, 'Within 5 minutes, with those above.'),
    }),
    'Delivered messages by the time from acceptance to the delivery report.',
  ),
})
export type DayUsage = v.InferOutput<typeof DayUsage>
