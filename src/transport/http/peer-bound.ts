/** The kernel's list of connections is read at most this often. */
export const PEERS_COUNTED_EVERY_MS = 1000

import { CONNECTIONS_MAX, CONNECTIONS_PER_ADDRESS_MAX } from '#contracts/bounds.ts'

export interface PeerBoundPorts {
  /** Counts all open connections by address key; null: the system does not list them. */
  readonly count: () => ReadonlyMap<string, number> | null
  readonly monoMs: () => number
}

/**
 * Limits the connections of one address. The address of a closed connection is unknown, so only a count of
 * all open connections is exact, and that takes time. Between two counts there is an upper bound for each
 * address: its connections at the last count, and all that it opened since. While this bound is within the
 * limit, a connection may stay. Otherwise all connections are counted again, but at most once a second.
 *
 * If the last count is less than a second old, all connections that closed since that count are subtracted
 * from the bound of the address, because each may have been one of its own. Nothing is subtracted for an
 * address that was over the limit at the last count.
 */
export class PeerBound {
  readonly #ports: PeerBoundPorts
  #counted: ReadonlyMap<string, number> = new Map()
  #countedAt = Number.NEGATIVE_INFINITY
  readonly #opened = new Map<string, number>()
  #closed = 0
  /** Whether all connections opened since the last count were reported here. */
  #isExact = false
  /** True if the system does not list connections. Then no limit applies. */
  #cannotCount = false

  constructor(ports: PeerBoundPorts) {
    this.#ports = ports
  }

  /** Whether a new connection may stay. The close of a refused connection must not be reported. */
  admits(key: string): boolean {
    this.#opened.set(key, this.#openedBy(key) + 1)
    const isFew =
      this.#upperBoundOf(key) <= CONNECTIONS_PER_ADDRESS_MAX && this.#opened.size <= CONNECTIONS_MAX
    if (this.#isExact && isFew) return true
    if (this.#ports.monoMs() - this.#countedAt >= PEERS_COUNTED_EVERY_MS) this.#count()
    if (this.#cannotCount) return true
    const stays =
      (this.#counted.get(key) ?? 0) <= CONNECTIONS_PER_ADDRESS_MAX &&
      this.#upperBoundOf(key) - this.#closed <= CONNECTIONS_PER_ADDRESS_MAX
    if (!stays) this.#opened.set(key, Math.max(0, this.#openedBy(key) - 1))
    return stays
  }

  /** Forgets all counts, because so few connections are open that no address can exceed its limit. */
  forget(): void {
    if (!this.#isExact) return
    this.#counted = new Map()
    this.#restart(false)
  }

  /** Reports that a connection closed; its address is unknown. */
  closed(): void {
    this.#closed += 1
  }

  #upperBoundOf(key: string): number {
    return (this.#counted.get(key) ?? 0) + this.#openedBy(key)
  }

  #openedBy(key: string): number {
    return this.#opened.get(key) ?? 0
  }

  #count(): void {
    const counted = this.#ports.count()
    this.#countedAt = this.#ports.monoMs()
    this.#cannotCount = counted === null
    this.#counted = counted ?? new Map()
    this.#restart(true)
  }

  #restart(isExact: boolean): void {
    this.#isExact = isExact
    this.#opened.clear()
    this.#closed = 0
  }
}
