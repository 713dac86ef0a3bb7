import {
  CONNECTIONS_MAX,
  CONNECTIONS_PER_ADDRESS_MAX,
  PEERS_COUNTED_EVERY_MS,
} from '#contracts/connection-bounds.ts'

export interface PeerBoundPorts {
  /** All open connections by the key of their address; null where nobody knows. */
  readonly count: () => ReadonlyMap<string, number> | null
  readonly monoMs: () => number
}

/**
 * How many connections one address may have. Between two counts of all, an address has at most what was
 * counted plus what it opened since. Only when that is too much are all counted again, at most once a second.
 * Until then whatever closed is taken to be its own, unless it already had too many at the count.
 */
export class PeerBound {
  readonly #ports: PeerBoundPorts
  #counted: ReadonlyMap<string, number> = new Map()
  #countedAt = Number.NEGATIVE_INFINITY
  readonly #opened = new Map<string, number>()
  #closed = 0
  /** Every connection since the last count was told. */
  #isSure = false
  /** The system does not list connections. */
  #isBlind = false

  constructor(ports: PeerBoundPorts) {
    this.#ports = ports
  }

  /** Whether a connection that was just opened may stay; of one that may not, no closing is told. */
  admits(key: string): boolean {
    this.#opened.set(key, this.#openedBy(key) + 1)
    const isFew = this.#mostOf(key) <= CONNECTIONS_PER_ADDRESS_MAX && this.#opened.size <= CONNECTIONS_MAX
    if (this.#isSure && isFew) return true
    if (this.#ports.monoMs() - this.#countedAt >= PEERS_COUNTED_EVERY_MS) this.#count()
    if (this.#isBlind) return true
    const stays =
      (this.#counted.get(key) ?? 0) <= CONNECTIONS_PER_ADDRESS_MAX &&
      this.#mostOf(key) - this.#closed <= CONNECTIONS_PER_ADDRESS_MAX
    if (!stays) this.#opened.set(key, Math.max(0, this.#openedBy(key) - 1))
    return stays
  }

  /** There are so few connections that no address can have too many: what opens now need not be told. */
  forget(): void {
    if (!this.#isSure) return
    this.#counted = new Map()
    this.#restart(false)
  }

  /** A connection closed; nobody knows whose. */
  closed(): void {
    this.#closed += 1
  }

  #mostOf(key: string): number {
    return (this.#counted.get(key) ?? 0) + this.#openedBy(key)
  }

  #openedBy(key: string): number {
    return this.#opened.get(key) ?? 0
  }

  #count(): void {
    const counted = this.#ports.count()
    this.#countedAt = this.#ports.monoMs()
    this.#isBlind = counted === null
    this.#counted = counted ?? new Map()
    this.#restart(true)
  }

  #restart(isSure: boolean): void {
    this.#isSure = isSure
    this.#opened.clear()
    this.#closed = 0
  }
}
