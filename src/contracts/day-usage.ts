import * as v from 'valibot'

const count = v.pipe(v.number(), v.integer(), v.minValue(0))
const ms = v.nullable(count)

/**
 * Outcomes of an account's messages of one UTC day. `deliveryMs`: milliseconds from acceptance to the
 * delivery report; null: no message was delivered.
 */
export const DayUsage = v.object({
  day: v.pipe(v.string(), v.isoDate()),
  accepted: count,
  delivered: count,
  sent: count,
  failed: count,
  received: count,
  twoFactor: count,
  alerts: count,
  deliveryMs: v.object({ p50: ms, p95: ms }),
})
export type DayUsage = v.InferOutput<typeof DayUsage>
