import { LIVE_SOCKETS_PER_ACCOUNT_MAX } from '#contracts/bounds.ts'
import type { LiveWatcher } from '#contracts/phone-commands.ts'

/**
 * The accounts that open pages show, and the listeners that hold the sockets of these pages. In memory only.
 * Joining twice has no effect, because a command may be retried.
 */
export class WatchedAccounts {
  /** Per account, the listener of each socket. An account without open pages has no entry. */
  readonly #sockets = new Map<string, Map<string, number>>()

  /** Adds a socket. False: the account already has the maximum. */
  join({ accountId, listener, socket }: LiveWatcher): boolean {
    const sockets = this.#sockets.get(accountId) ?? new Map<string, number>()
    const key = `${listener} ${socket}`
    if (!sockets.has(key) && sockets.size >= LIVE_SOCKETS_PER_ACCOUNT_MAX) return false
    sockets.set(key, listener)
    this.#sockets.set(accountId, sockets)
    return true
  }

  leave({ accountId, listener, socket }: LiveWatcher): void {
    const sockets = this.#sockets.get(accountId)
    sockets?.delete(`${listener} ${socket}`)
    if (sockets?.size === 0) this.#sockets.delete(accountId)
  }

  /** Removes all sockets of a listener that ended. */
  drop(listener: number): void {
    for (const [accountId, sockets] of this.#sockets) {
      for (const [key, holder] of sockets) if (holder === listener) sockets.delete(key)
      if (sockets.size === 0) this.#sockets.delete(accountId)
    }
  }

  has(accountId: string): boolean {
    return this.#sockets.has(accountId)
  }

  accounts(): Iterable<string> {
    return this.#sockets.keys()
  }

  listenersOf(accountId: string): readonly number[] {
    return [...new Set(this.#sockets.get(accountId)?.values())]
  }
}
