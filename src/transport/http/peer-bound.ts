import {
  CONNECTIONS_MAX,
  CONNECTIONS_PER_ADDRESS_MAX,
  PEERS_COUNTED_EVERY_MS,
} from '#contracts/connection-bounds.ts'

export interface PeerBoundPorts {
  /** All open connections by the key of their address; null if unknown. */
  readonly count: () => ReadonlyMap<string, number> | null
  readonly monoMs: () => number
}

/**
 * Limits the connections of one address. Between two counts an address is assumed to have the counted
 * connections plus all that it opened since. Only if that exceeds the limit are all counted again, at most
 * once a second. Until then a closed connection counts as its own, unless it was already over the limit at
 * the count.
 */
export class PeerBound {
  readonly #ports: PeerBoundPorts
  #counted: ReadonlyMap<string, number> = new Map()
  #countedAt = Number.NEGATIVE_INFINITY
  readonly #opened = new Map<string, number>()
  #closed = 0
  /** Every connection since the last count was reported. */
  #isSure = false
  /** The system does not list connections. */
  #isBlind = false

  constructor(ports: PeerBoundPorts) {
    this.#ports = ports
  }

  /** Whether a new connection may stay; the close of a refused one is not reported. */
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

  /** So few connections are open that no address can exceed its limit: opens need not be reported. */
  forget(): void {
    if (!this.#isSure) return
    this.#counted = new Map()
    this.#restart(false)
  }

  /** A connection of an unknown address closed. */
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
