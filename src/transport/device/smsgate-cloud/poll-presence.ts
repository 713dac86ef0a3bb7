import type { Writer } from '#contracts/commands.ts'
import type { PhoneConnection } from '#contracts/phone-commands.ts'
import type { SocketEffect } from '#contracts/thread-frames.ts'
import { nextSocketNumber } from '#transport/device/socket-number.ts'

export interface PresencePorts {
  readonly listener: number
  readonly writer: Writer
  readonly offlineAfterMs: () => number
}

interface Poll {
  readonly connection: PhoneConnection
  /** Monotonic. */
  heardAt: number
}

const SWEEP_MS = 1000

/**
 * A phone that fetches messages is there, also without a stream of events: it counts as connected until it
 * was silent for as long as other phones may be.
 */
export class PollPresence {
  readonly #ports: PresencePorts
  readonly #monoMs: () => number
  readonly #polls = new Map<string, Poll>()
  readonly #sweeper: NodeJS.Timeout

  constructor(ports: PresencePorts, monoMs = () => performance.now()) {
    this.#ports = ports
    this.#monoMs = monoMs
    this.#sweeper = setInterval(() => this.sweep(), SWEEP_MS).unref()
  }

  /** The phone came for messages. */
  polled(deviceId: string): void {
    const known = this.#polls.get(deviceId)
    if (known !== undefined) {
      known.heardAt = this.#monoMs()
      return
    }
    const { listener, writer } = this.#ports
    const connection = { listener, socket: nextSocketNumber() }
    this.#polls.set(deviceId, { connection, heardAt: this.#monoMs() })
    const news = { type: 'opened', appVersion: null, platform: null, sims: [] } as const
    // Not written: the next poll says it again.
    writer.ask('phone.news', { deviceId, connection, news }).catch(() => this.#polls.delete(deviceId))
  }

  /** The writer ended some. */
  apply(effects: readonly SocketEffect[]): void {
    const closed = new Set(effects.filter(({ order }) => order.type === 'close').map(({ socket }) => socket))
    if (closed.size === 0) return
    for (const [deviceId, { connection }] of this.#polls)
      if (closed.has(connection.socket)) this.#polls.delete(deviceId)
  }

  /** Tells of phones that have not come for too long. */
  sweep(): void {
    const now = this.#monoMs()
    for (const [deviceId, { connection, heardAt }] of this.#polls) {
      const silentMs = Math.round(now - heardAt)
      if (silentMs < this.#ports.offlineAfterMs()) continue
      this.#polls.delete(deviceId)
      // A stopping writer forgets its sessions anyway.
      this.#ports.writer.ask('phone.closed', { deviceId, connection, silentMs }).catch(() => {})
    }
  }

  close(): void {
    clearInterval(this.#sweeper)
  }
}
