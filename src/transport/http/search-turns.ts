import { setImmediate as nextTurn, setTimeout as rest } from 'node:timers/promises'
import { Problem } from '#domain/problem.ts'

/** Searches of one account that may wait. A person types faster than a slow board searches. */
const SEARCHES_WAITING_MAX = 8

/**
 * Runs the searches of an account one after another, each in its own turn of the event loop, and so whatever
 * else reads much: lists, pages of exports, forecasts. So other callers of the listener wait for one of them
 * at most, however many one account has asked for. Before the next one, the account rests for as long as the
 * last one took, so that it has at most half of the time.
 */
export class SearchTurns {
  /** By account, the searches that run or wait, and the one after which the account rests. */
  readonly #open = new Map<string, { count: number; last: Promise<unknown> }>()

  /** @throws Problem SERVICE_UNAVAILABLE when too many of the account wait, or the error of `search` */
  async run<T>(accountId: string, search: () => T): Promise<T> {
    if ((this.#open.get(accountId)?.count ?? 0) > SEARCHES_WAITING_MAX)
      throw new Problem('SERVICE_UNAVAILABLE', 'too many searches are waiting: try again in 1 s', {
        retryAfterS: 1,
      })
    return this.take(accountId, search)
  }

  /** Reads when it is the account's turn, however many wait. @throws the error of `read` */
  async take<T>(accountId: string, read: () => T | Promise<T>): Promise<T> {
    const open = this.#open.get(accountId) ?? { count: 0, last: Promise.resolve() }
    this.#open.set(accountId, open)
    open.count += 1
    let startedAt = 0
    const mine = open.last
      .then(() => nextTurn())
      .then(() => {
        startedAt = performance.now()
        return read()
      })
    open.last = mine
      .catch(() => {})
      .then(() => rest(performance.now() - startedAt))
      .then(() => {
        open.count -= 1
        if (open.count === 0) this.#open.delete(accountId)
      })
    return mine
  }
}
