import { ACCOUNT_BOUNDS } from '#contracts/account-bounds.ts'

/** A body above this counts as large, bytes. */
export const LARGE_BODY_BYTES = 65_536

/**
 * The large bodies that are being read, by account: at its bound a further one is refused, so that no account
 * takes the memory of others. Each listener has its share of the bound.
 */
export class LargeBodies {
  readonly #most: number
  readonly #accounts = new Map<object, string>()

  constructor(listeners: number) {
    this.#most = Math.max(1, Math.floor(ACCOUNT_BOUNDS.largeBodies.most / listeners))
  }

  /** Whether this reader may go on beyond `LARGE_BODY_BYTES`. If so, it must call `end`. */
  start(reader: object, accountId: string): boolean {
    let count = 0
    for (const one of this.#accounts.values()) if (one === accountId) count += 1
    if (count >= this.#most) return false
    this.#accounts.set(reader, accountId)
    return true
  }

  end(reader: object): void {
    this.#accounts.delete(reader)
  }
}
