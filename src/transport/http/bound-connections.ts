import type { HttpResponse, TemplatedApp } from 'uWebSockets.js'
import { readFileSync } from 'node:fs'
import { CONNECTIONS_MAX, CONNECTIONS_PER_ADDRESS_MAX } from '#contracts/bounds.ts'
import type { LogEntry } from '#contracts/thread-frames.ts'
import { addressFromBytes, formatAddress } from '#domain/network/address.ts'
import { countPeers, isOwnPeer, peerKey } from '#transport/http/count-peers.ts'
import { PeerBound } from '#transport/http/peer-bound.ts'

/** File descriptors that are kept free of connections, for the database, log, notifications and commands. */
export const DESCRIPTORS_KEPT = 256
/**
 * If the process may open only few files, half of them are kept free, but at least this many. An idle gateway
 * uses 44.
 */
const DESCRIPTORS_KEPT_MIN = 64
/** Share of `CONNECTIONS_MAX` that is reserved for addresses from which a phone was connected. */
const CONNECTIONS_OF_PHONES_SHARE = 0.1
/** How many of these addresses are remembered; a new one replaces the oldest. */
const PHONE_ADDRESSES_MAX = 1024
/** Refused connections are logged at most this often. */
const CONNECTIONS_REFUSED_LOGGED_EVERY_MS = 60_000

export interface ConnectionPorts {
  /** Connections that this listener may hold. */
  readonly connectionsMax: number
  readonly listeners: number
  /** The gateway's ports. */
  readonly ports: readonly number[]
  /** Whether the peer is a trusted proxy, which may open connections for many clients. */
  readonly isTrusted: (remote: ArrayBuffer) => boolean
  readonly log: (entry: LogEntry) => void
}

/**
 * Closes new connections beyond the limit of the listener or the limit of one address. The limit of the
 * listener is below the limit of file descriptors, at which the event loop would spin. Its last tenth is
 * reserved for the addresses of phones. The check takes time only when a connection opens, and very little
 * while no address is near its limit.
 *
 * The library reports when a connection opens or closes. It does not report the close of an upgraded
 * connection: the code that upgraded it must call `closed`.
 */
export class ConnectionBound {
  readonly #ports: ConnectionPorts
  /** Connections that addresses without a phone may use together. */
  readonly #unknownMax: number
  /**
   * With at most this many connections, no address can exceed its limit, even with all listeners together.
   */
  readonly #uncheckedMax: number
  readonly #peers: PeerBound
  /** Keys of addresses from which a phone authenticated, oldest first. */
  readonly #phones = new Set<string>()
  #open = 0
  /** True while a refused connection is closed. Its close does not count for its address. */
  #isRefusing = false
  #loggedAt = Number.NEGATIVE_INFINITY

  constructor(ports: ConnectionPorts) {
    this.#ports = ports
    this.#unknownMax = Math.ceil(ports.connectionsMax * (1 - CONNECTIONS_OF_PHONES_SHARE))
    this.#uncheckedMax = Math.min(this.#unknownMax, CONNECTIONS_PER_ADDRESS_MAX / ports.listeners)
    this.#peers = new PeerBound({ count: () => countPeers(ports.ports), monoMs: () => performance.now() })
  }

  watch(app: TemplatedApp): void {
    const count = (res: HttpResponse, change: number): void => {
      if (change < 0) return this.closed()
      this.#open += change
      if (this.#open > this.#uncheckedMax) this.#check(res)
      else this.#peers.forget()
    }
    app.filter(count)
  }

  closed(): void {
    this.#open -= 1
    if (!this.#isRefusing) this.#peers.closed()
  }

  /** Remembers that a phone authenticated from this address. */
  rememberPhone(remote: ArrayBuffer): void {
    const key = peerKey(remote)
    this.#phones.delete(key)
    this.#phones.add(key)
    if (this.#phones.size <= PHONE_ADDRESSES_MAX) return
    const { value: oldest } = this.#phones.values().next()
    if (oldest !== undefined) this.#phones.delete(oldest)
  }

  #check(res: HttpResponse): void {
    const remote = res.getRemoteAddress()
    const key = peerKey(remote)
    const max = this.#phones.has(key) ? this.#ports.connectionsMax : this.#unknownMax
    if (this.#open > max) this.#refuse(res, { address: null, max })
    // First the addresses without a limit: `admits` may read the kernel's list of all connections.
    else if (!isOwnPeer(key) && !this.#ports.isTrusted(remote) && !this.#peers.admits(key))
      this.#refuse(res, {
        address: addressFromBytes(new Uint8Array(remote)),
        max: CONNECTIONS_PER_ADDRESS_MAX,
      })
  }

  #refuse(
    res: HttpResponse,
    { address, max }: { address: ReturnType<typeof addressFromBytes>; max: number },
  ): void {
    this.#isRefusing = true
    res.close()
    this.#isRefusing = false
    const now = performance.now()
    if (now - this.#loggedAt < CONNECTIONS_REFUSED_LOGGED_EVERY_MS) return
    this.#loggedAt = now
    const from = address === null ? 'all addresses' : formatAddress(address)
    this.#ports.log({ level: 'warn', event: 'connections.refused', fields: { from, max } })
  }
}

/**
 * The number of connections that one listener may hold. All listeners share the limit of file descriptors, at
 * which uWebSockets.js would spin at full processor load. `limits`: the text of `/proc/self/limits`.
 */
export function connectionsMaxOf(limits: string, listeners: number): number {
  const found = /^Max open files\s+(\d+)/m.exec(limits)
  const descriptors = found === null ? Number.POSITIVE_INFINITY : Number(found[1])
  const kept = Math.min(DESCRIPTORS_KEPT, Math.max(DESCRIPTORS_KEPT_MIN, descriptors / 2))
  const room = Math.floor((descriptors - kept) / listeners)
  return Math.max(1, Math.min(CONNECTIONS_MAX, room))
}

/** The text of `/proc/self/limits`; empty on systems without it. */
export function readLimits(): string {
  try {
    return readFileSync('/proc/self/limits', 'latin1')
  } catch {
    return ''
  }
}
