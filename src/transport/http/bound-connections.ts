import type { HttpResponse, TemplatedApp } from 'uWebSockets.js'
import { readFileSync } from 'node:fs'
import { CONNECTIONS_MAX } from '#contracts/bounds.ts'
import type { LogEntry } from '#contracts/thread-frames.ts'
import { clientOfSocket } from '#transport/http/client-address.ts'

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
/**
 * Connections that one IPv4 address or IPv6 /64 may open in this time while most connections are in use: a
 * browser has 6, a busy client 64. A silent connection is closed after ten seconds.
 */
export const CONNECTIONS_PER_ADDRESS_MAX = 128
const OPENED_COUNTED_MS = 60_000
/** Refused connections are logged at most this often. */
const CONNECTIONS_REFUSED_LOGGED_EVERY_MS = 60_000
/** This machine has no limit: a proxy on it may have many clients. */
const OWN_ADDRESSES = new Set(['127.0.0.1', '::1'])

export interface ConnectionPorts {
  /** Connections that this listener may hold. */
  readonly connectionsMax: number
  /** The kernel spreads the connections of an address over so many listeners. */
  readonly listeners: number
  /** Whether the peer is a trusted proxy, which may open connections for many clients. */
  readonly isTrusted: (remote: ArrayBuffer) => boolean
  readonly log: (entry: LogEntry) => void
}

/**
 * Closes new connections beyond the limit of the listener, which is below the limit of file descriptors: at
 * that limit the event loop would spin. The last tenth is reserved for the addresses of phones. While more
 * than half of the rest is in use, an address that opened `CONNECTIONS_PER_ADDRESS_MAX` connections within a
 * minute gets no further ones.
 *
 * New connections are counted, not open ones, because the library does not say whose connection closed. It
 * does not even report the close of an upgraded connection: the code that upgraded it must call `closed`.
 */
export class ConnectionBound {
  readonly #ports: ConnectionPorts
  /** Connections that addresses without a phone may use together. */
  readonly #unknownMax: number
  readonly #perAddressMax: number
  /** Connections that each address opened since `#countedSince`. */
  readonly #opened = new Map<string, number>()
  #countedSince = Number.NEGATIVE_INFINITY
  /** Addresses from which a phone authenticated, oldest first. */
  readonly #phones = new Set<string>()
  #open = 0
  #loggedAt = Number.NEGATIVE_INFINITY

  constructor(ports: ConnectionPorts) {
    this.#ports = ports
    this.#unknownMax = Math.ceil(ports.connectionsMax * (1 - CONNECTIONS_OF_PHONES_SHARE))
    this.#perAddressMax = CONNECTIONS_PER_ADDRESS_MAX / ports.listeners
  }

  watch(app: TemplatedApp): void {
    const count = (res: HttpResponse, change: number): void => {
      this.#open += change
      if (change > 0) this.#check(res)
    }
    app.filter(count)
  }

  closed(): void {
    this.#open -= 1
  }

  /** Remembers that a phone authenticated from this address. */
  rememberPhone(remote: ArrayBuffer): void {
    const key = clientOfSocket(remote).bucketKey
    this.#phones.delete(key)
    this.#phones.add(key)
    if (this.#phones.size <= PHONE_ADDRESSES_MAX) return
    const { value: oldest } = this.#phones.values().next()
    if (oldest !== undefined) this.#phones.delete(oldest)
  }

  #check(res: HttpResponse): void {
    const remote = res.getRemoteAddress()
    const { text, bucketKey } = clientOfSocket(remote)
    const opened = this.#countOpened(bucketKey)
    const max = this.#phones.has(bucketKey) ? this.#ports.connectionsMax : this.#unknownMax
    if (this.#open > max) return this.#refuse(res, { from: 'all addresses', max })
    const isCrowded = this.#open > this.#unknownMax / 2 && opened > this.#perAddressMax
    if (isCrowded && !OWN_ADDRESSES.has(text) && !this.#ports.isTrusted(remote))
      this.#refuse(res, { from: text, max: CONNECTIONS_PER_ADDRESS_MAX })
  }

  /** Counts one more connection of this address. */
  #countOpened(key: string): number {
    const now = performance.now()
    if (now - this.#countedSince > OPENED_COUNTED_MS || this.#opened.size > CONNECTIONS_MAX) {
      this.#opened.clear()
      this.#countedSince = now
    }
    const opened = (this.#opened.get(key) ?? 0) + 1
    this.#opened.set(key, opened)
    return opened
  }

  #refuse(res: HttpResponse, fields: { readonly from: string; readonly max: number }): void {
    res.close()
    const now = performance.now()
    if (now - this.#loggedAt < CONNECTIONS_REFUSED_LOGGED_EVERY_MS) return
    this.#loggedAt = now
    this.#ports.log({ level: 'warn', event: 'connections.refused', fields })
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
