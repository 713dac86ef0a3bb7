/** The texts of a made-up past: when they came, how they ended, and what a gateway counts of them. */
import { quarterOf } from '#domain/account/day-counts.ts'
import { DAY_MS } from '#domain/time.ts'

export const DAYS = 30
export const STEP_MS = 900

/** Two messages in five are alerts. */
export function isAlert(index: number): boolean {
  return index % 5 < 2
}

/** One message in 29 failed, and one in 7 was sent but not reported as delivered. */
export function statusOf(index: number): 'failed' | 'sent' | 'delivered' {
  if (index % 29 === 0) return 'failed'
  return index % 7 === 0 ? 'sent' : 'delivered'
}

/** How long the delivery took. Most arrive in seconds, some in minutes. */
export function tookMs(index: number): number {
  if (index % 47 === 0) return 95_000
  return index % 11 === 0 ? 14_000 : STEP_MS * (2 + (index % 4))
}

/** When the messages were accepted, the oldest first: some days are busier, and at night it is quiet. */
export function timesOf(count: number, now: number): readonly number[] {
  const midnight = new Date(now).setHours(0, 0, 0, 0)
  const days = Array.from({ length: DAYS }, (_, nth) => {
    const start = midnight - (DAYS - 1 - nth) * DAY_MS
    const weight = 0.7 + ((nth * 37) % 60) / 100
    if (start < midnight) return { from: start + DAY_MS / 4, until: start + DAY_MS - 3_600_000, weight }
    // The last one is over, also if the day has just begun.
    const until = Math.max(start, now - 120_000)
    return { from: start, until, weight: weight * Math.min(1, (until - start) / (DAY_MS / 6)) }
  })
  const all = days.reduce((sum, { weight }) => sum + weight, 0)
  return days.flatMap(({ from, until, weight }, nth) => {
    const before = days.slice(0, nth).reduce((sum, day) => sum + day.weight, 0)
    const upTo = nth === DAYS - 1 ? count : Math.floor((count * (before + weight)) / all)
    const some = upTo - Math.floor((count * before) / all)
    return Array.from({ length: some }, (_, one) =>
      Math.floor(from + ((until - from) * (one + 1)) / Math.max(1, some)),
    )
  })
}

/** The places of the counters in a row of `usage_quarter`, behind the account and the quarter. */
const [ACCEPTED_AT, ALERTS_AT, BUCKETS_AT] = [0, 6, 7]
export const RECEIVED_AT = 4
const OUTCOME_AT = { delivered: 1, sent: 2, failed: 3 } as const
/** The buckets of times to deliver up to 2 s, 3 s, 5 s, 30 s and 5 min. */
const BUCKETS = [
  [2_000, 1],
  [3_000, 2],
  [5_000, 3],
  [30_000, 5],
  [300_000, 7],
] as const

/** What the gateway would have counted of the messages, so that its numbers and its lists agree. */
export class Counts {
  readonly #quarters = new Map<number, number[]>()

  message(index: number, at: number): void {
    const status = statusOf(index)
    this.add(at, ACCEPTED_AT)
    this.add(at, OUTCOME_AT[status])
    if (isAlert(index)) this.add(at, ALERTS_AT)
    if (status === 'delivered') {
      const [, bucket] = BUCKETS.find(([ms]) => tookMs(index) <= ms) ?? [0, 0]
      this.add(at, BUCKETS_AT + bucket)
    }
  }

  add(at: number, place: number): void {
    const values = this.#quarters.get(quarterOf(at)) ?? new Array<number>(18).fill(0)
    values[place] = (values[place] ?? 0) + 1
    this.#quarters.set(quarterOf(at), values)
  }

  /** The rows of `usage_quarter`, behind the account. */
  rows(): readonly (readonly number[])[] {
    return [...this.#quarters].map(([quarter, values]) => [quarter, ...values])
  }
}
