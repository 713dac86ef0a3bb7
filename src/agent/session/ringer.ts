import { reasonOf } from '#agent/agent-error.ts'
import type { Driver } from '#agent/drivers/driver.ts'
import type { RingFrame } from '#agent/session/gateway-frame.ts'
import type { Link } from '#agent/session/link.ts'
import type { RingOutcome } from '#contracts/phone-orders.ts'

export interface RingerPorts {
  readonly driver: Driver
  readonly log: (line: string) => void
}

/**
 * Lets the driver ring people, one at a time. A ring is in no journal: the gateway counts a ring as failed
 * when the connection ends, so the phone hangs up then.
 */
export class Ringer {
  readonly #ports: RingerPorts
  #link: Link | null = null
  #current: { readonly ringId: string; readonly stop: AbortController } | null = null
  /** Resolves when the last ring has ended. */
  #idle: Promise<void> = Promise.resolve()
  #isEnding = false

  constructor(ports: RingerPorts) {
    this.#ports = ports
  }

  get canRing(): boolean {
    return this.#ports.driver.ring !== undefined
  }

  attach(link: Link): void {
    this.#link = link
  }

  detach(): void {
    this.#link = null
    this.#current?.stop.abort()
  }

  /** Rings, and reports how it ended. It fails if the phone rings somebody already. */
  ring({ ringId, phoneNumber, seconds }: RingFrame): void {
    const { driver, log } = this.#ports
    if (driver.ring === undefined || this.#current !== null || this.#isEnding)
      return this.#link?.send({ type: 'rang', ringId, outcome: 'failed' })
    const link = this.#link
    const stop = new AbortController()
    this.#current = { ringId, stop }
    log(`${ringId}: ringing`)
    this.#idle = driver
      .ring(phoneNumber, seconds, stop.signal)
      .catch((error: unknown): RingOutcome => {
        log(`${ringId}: ${reasonOf(error)}`)
        return 'failed'
      })
      .then(outcome => {
        this.#current = null
        log(`${ringId}: ${outcome}`)
        if (link === this.#link) link?.send({ type: 'rang', ringId, outcome })
      })
  }

  hangUp(ringId: string): void {
    if (this.#current?.ringId === ringId) this.#current.stop.abort()
  }

  /** Hangs up, and rings nobody any more. Resolves when the phone has hung up. */
  end(): Promise<void> {
    this.#isEnding = true
    this.#current?.stop.abort()
    return this.#idle
  }
}
