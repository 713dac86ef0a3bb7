/**
 * Message counters of an account by quarter-hour, of which the days of every time zone consist. They are
 * counted in memory and added to the database once in each transaction, with one statement for each account
 * and quarter. A message counts in that of its acceptance, so that a day's outcomes add up to the messages
 * accepted.
 */
import type { DayUsage } from '#contracts/day-usage.ts'
import type { Message } from '#domain/message/message.ts'
import { DAY_MS, date } from '#domain/time.ts'
import type { Tx } from '#domain/tx.ts'

const DAY_COUNTS = ['accepted', 'delivered', 'sent', 'failed', 'received', 'twoFactor', 'alerts'] as const
type DayCount = (typeof DAY_COUNTS)[number]

/** Upper bounds of the delivery-time buckets, in milliseconds. One more bucket holds all longer times. */
const DELIVERY_MS_BOUNDS: readonly number[] = [
  1_000, 2_000, 3_000, 5_000, 10_000, 30_000, 60_000, 300_000, 1_800_000, 7_200_000,
]

export const QUARTER_MS = 900_000
export const QUARTERS_PER_DAY = DAY_MS / QUARTER_MS

/** Whole quarter-hours since 1970. */
export function quarterOf(wallMs: number): number {
  return Math.floor(wallMs / QUARTER_MS)
}

export interface DayCountStore {
  /** Adds to the counters of a quarter. `values`: one for each of `DAY_COUNTS`, then one for each bucket. */
  add(tx: Tx, added: Addition): void
}

/** Reads an account's counters, from the first of these quarters up to the second, which is not included. */
export type DayCountReader = (accountId: string, from: number, until: number) => readonly number[]

interface Addition {
  readonly accountId: string
  readonly quarter: number
  readonly values: number[]
}

const VALUE_COUNT = DAY_COUNTS.length + DELIVERY_MS_BOUNDS.length + 1

export class DayCounts {
  readonly #store: DayCountStore
  /** The counts of each account, one entry for each quarter. Nearly all are of the last ones. */
  readonly #added = new Map<string, Addition[]>()

  constructor(store: DayCountStore) {
    this.#store = store
  }

  accept({ accountId, createdAt, kind, test }: Message): void {
    if (test || kind === 'drill') return
    const { values } = this.#additionFor(accountId, createdAt)
    add(values, DAY_COUNTS.indexOf('accepted'), 1)
    if (kind === '2fa') add(values, DAY_COUNTS.indexOf('twoFactor'), 1)
    if (kind === 'webhook') add(values, DAY_COUNTS.indexOf('alerts'), 1)
  }

  receive(accountId: string, wallMs: number): void {
    add(this.#additionFor(accountId, wallMs).values, DAY_COUNTS.indexOf('received'), 1)
  }

  /** Counts a message under its new status, and no longer under the old one. */
  change(before: Message, { accountId, createdAt, kind, status, test, deliveredAt }: Message): void {
    if (test || kind === 'drill') return
    const from = outcomeIndex(before.status)
    const to = outcomeIndex(status)
    if (from === to) return
    const { values } = this.#additionFor(accountId, createdAt)
    add(values, from, -1)
    add(values, to, 1)
    if (status === 'delivered' && deliveredAt !== null)
      add(values, DAY_COUNTS.length + bucketOf(deliveredAt - createdAt), 1)
  }

  flush(tx: Tx): void {
    for (const some of this.#added.values()) for (const added of some) this.#store.add(tx, added)
    this.#added.clear()
  }

  /** Drops the counts of a removed account. */
  forget(accountId: string): void {
    this.#added.delete(accountId)
  }

  /** Drops the counts of a transaction that was rolled back. */
  discard(): void {
    this.#added.clear()
  }

  /** The counts of the account for the quarter of this time. */
  #additionFor(accountId: string, wallMs: number): Addition {
    const quarter = quarterOf(wallMs)
    const some = this.#added.get(accountId) ?? []
    let added = some.find(one => one.quarter === quarter)
    if (added === undefined) {
      added = { accountId, quarter, values: new Array<number>(VALUE_COUNT).fill(0) }
      some.push(added)
      this.#added.set(accountId, some)
    }
    return added
  }
}

/** The index of the counter for this status. -1: messages with this status are not counted as an outcome. */
function outcomeIndex(status: Message['status']): number {
  return status === 'queued' || status === 'sending' ? -1 : DAY_COUNTS.indexOf(status)
}

/** Adds to a counter. The index -1 stands for no counter. */
function add(values: number[], index: number, by: number): void {
  if (index >= 0) values[index] = (values[index] ?? 0) + by
}

function bucketOf(ms: number): number {
  const index = DELIVERY_MS_BOUNDS.findIndex(bound => ms <= bound)
  return index === -1 ? DELIVERY_MS_BOUNDS.length : index
}

/** A day as the API shows it. Without `values` nothing was counted on that day. */
export function describeDay(day: number, values: readonly number[] = []): DayUsage {
  const counts = Object.fromEntries(
    DAY_COUNTS.map((name, index) => [name, Math.max(0, values[index] ?? 0)]),
  ) as Record<DayCount, number>
  const buckets = values.slice(DAY_COUNTS.length)
  const deliveryMs = { p50: quantileOf(buckets, 0.5), p95: quantileOf(buckets, 0.95) }
  const within = (ms: number) =>
    buckets.slice(0, DELIVERY_MS_BOUNDS.indexOf(ms) + 1).reduce((sum, one) => sum + one, 0)
  const deliveredWithin = { s5: within(5_000), s30: within(30_000), s300: within(300_000) }
  return { day: date(day), ...counts, deliveryMs, deliveredWithin }
}

/**
 * The delivery time at this quantile, in milliseconds. It is interpolated linearly within its bucket; in the
 * last bucket it is the lower bound. Null: there were no deliveries.
 */
function quantileOf(buckets: readonly number[], share: number): number | null {
  const total = buckets.reduce((sum, count) => sum + count, 0)
  if (total === 0) return null
  let below = 0
  for (const [index, count] of buckets.entries()) {
    const low = DELIVERY_MS_BOUNDS[index - 1] ?? 0
    const high = DELIVERY_MS_BOUNDS[index]
    if (below + count >= share * total && count > 0)
      return high === undefined ? low : Math.round(low + ((share * total - below) / count) * (high - low))
    below += count
  }
  return null
}
