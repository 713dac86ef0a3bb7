/**
 * Counts wrong pairing codes. Only the writer compares codes, one after another, so that parallel attempts
 * all count. The counts are only in memory, because a code is valid for ten minutes and an attacker cannot
 * restart the gateway.
 */

import { PAIRING_VALID_MS } from '#contracts/bounds.ts'
import { limitReached } from '#domain/problem.ts'
import type { Now } from '#domain/time.ts'

/** Wrong pairing codes that one address may try while a code is valid. */
export const PAIRING_TRIES_MAX = 5
/** Wrong pairing codes from all addresses while a code is valid; with more, all open codes become invalid. */
export const PAIRING_TRIES_ALL_MAX = 100
/** Addresses with a count of their own for wrong codes. Further addresses only count in the total. */
const PAIRING_ADDRESSES_MAX = 1000

interface Count {
  tries: number
  /** The monotonic time at which this count ends: ten minutes after its first wrong code. */
  readonly until: number
}

export class PairingTries {
  /** By address, the oldest first. */
  readonly #counts = new Map<string, Count>()
  #all: Count | null = null

  /** @throws Problem RATE_LIMIT_EXCEEDED for an address that tried too often */
  check(address: string, { monoMs, wallMs }: Now): void {
    const count = this.#counts.get(address)
    if (count === undefined || count.until <= monoMs || count.tries < PAIRING_TRIES_MAX) return
    throw limitReached('too many wrong pairing codes from this address: try again in 10 minutes', {
      limit: PAIRING_TRIES_MAX,
      resetAtMs: wallMs + count.until - monoMs,
      retryAfterMs: count.until - monoMs,
    })
  }

  /** Counts a wrong code. True: all addresses together had so many that the open codes must end. */
  addWrong(address: string, { monoMs }: Now): boolean {
    const known = this.#counts.get(address)
    if (known === undefined || known.until <= monoMs) {
      this.#counts.delete(address)
      this.#makeRoom()
      this.#counts.set(address, { tries: 1, until: monoMs + PAIRING_VALID_MS })
    } else known.tries += 1
    if (this.#all === null || this.#all.until <= monoMs)
      this.#all = { tries: 0, until: monoMs + PAIRING_VALID_MS }
    this.#all.tries += 1
    return this.#all.tries >= PAIRING_TRIES_ALL_MAX
  }

  /**
   * Resets the total after all open codes were ended, because earlier guesses do not endanger later codes.
   */
  resetTotal(): void {
    this.#all = null
  }

  #makeRoom(): void {
    if (this.#counts.size < PAIRING_ADDRESSES_MAX) return
    const oldest = this.#counts.keys().next().value
    if (oldest !== undefined) this.#counts.delete(oldest)
  }
}
