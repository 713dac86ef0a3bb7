import { ACCOUNT_BOUNDS } from '#contracts/account-bounds.ts'
import type { LiveWatcher } from '#contracts/phone-commands.ts'
import { checkBound } from '#domain/problem.ts'

/**
 * The accounts that open pages show, and the listeners that hold the sockets of these pages. In memory only.
 * Joining twice has no effect, because a command may be retried.
 */
export class WatchedAccounts {
  /** Per account, its sockets by listener and number. An account without open pages has no entry. */
  readonly #sockets = new Map<string, Map<string, LiveWatcher>>()

  /** Adds a socket. @throws Problem CONFLICT: the account or the user already has the maximum */
  join(watcher: LiveWatcher): void {
    const { accountId, listener, socket, userId } = watcher
    const sockets = this.#sockets.get(accountId) ?? new Map<string, LiveWatcher>()
    const key = `${listener} ${socket}`
    if (!sockets.has(key)) {
      const own = userId === undefined ? [] : [...sockets.values()].filter(one => one.userId === userId)
      checkBound(ACCOUNT_BOUNDS.liveSocketsOfUser, own.length)
      checkBound(ACCOUNT_BOUNDS.liveSockets, sockets.size)
    }
    sockets.set(key, watcher)
    this.#sockets.set(accountId, sockets)
  }

  leave({ accountId, listener, socket }: LiveWatcher): void {
    const sockets = this.#sockets.get(accountId)
    sockets?.delete(`${listener} ${socket}`)
    if (sockets?.size === 0) this.#sockets.delete(accountId)
  }

  /** Removes all sockets of a listener that ended. */
  drop(listener: number): void {
    for (const [accountId, sockets] of this.#sockets) {
      for (const [key, one] of sockets) if (one.listener === listener) sockets.delete(key)
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
    return [...new Set([...(this.#sockets.get(accountId)?.values() ?? [])].map(one => one.listener))]
  }
}
