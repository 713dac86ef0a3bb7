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
  /** Milliseconds of the monotonic clock. */
  heardAt: number
}

const SWEEP_MS = 1000

/**
 * Treats a phone that fetches messages as connected, even without an event stream. After `offlineAfterMs`
 * without a fetch, the phone counts as disconnected.
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

  /** The phone has fetched messages. */
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
    // If the writer did not commit the news, the next fetch reports them again.
    writer.ask('phone.news', { deviceId, connection, news }).catch(() => this.#polls.delete(deviceId))
  }

  /** Forgets phones whose connection the writer has closed. */
  apply(effects: readonly SocketEffect[]): void {
    const closed = new Set(effects.filter(({ order }) => order.type === 'close').map(({ socket }) => socket))
    if (closed.size === 0) return
    for (const [deviceId, { connection }] of this.#polls)
      if (closed.has(connection.socket)) this.#polls.delete(deviceId)
  }

  /** Reports each phone that has been silent for too long as disconnected. */
  sweep(): void {
    const now = this.#monoMs()
    for (const [deviceId, { connection, heardAt }] of this.#polls) {
      const silentMs = Math.round(now - heardAt)
      if (silentMs < this.#ports.offlineAfterMs()) continue
      this.#polls.delete(deviceId)
      // A refusal means that the writer is stopping, which ends all sessions anyway.
      this.#ports.writer.ask('phone.closed', { deviceId, connection, silentMs }).catch(() => {})
    }
  }

  close(): void {
    clearInterval(this.#sweeper)
  }
}
