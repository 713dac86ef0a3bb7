/**
 * Reads the phone's state at intervals and reports it: battery, signal, SIMs, and received messages.
 */
import { reasonOf } from '#agent/agent-error.ts'
import { type Clock, repeat } from '#agent/clock.ts'
import type { Driver, Telemetry } from '#agent/drivers/driver.ts'
import type { Health } from '#agent/health.ts'
import type { Journal } from '#agent/journal.ts'
import type { Link } from '#agent/session/link.ts'
import type { Reporter } from '#agent/session/reporter.ts'
import type { TelemetryFrame } from '#contracts/device-frames.ts'
import type { Sim } from '#contracts/phone-orders.ts'

/** How often the agent reads battery and signal. It reports a change at once … */
const AGENT_TELEMETRY_READ_MS = 60_000
/** … and unchanged values at this interval. */
const AGENT_TELEMETRY_EVERY_MS = 300_000
/** How often the agent reads the phone's inbox for new texts. */
const AGENT_INBOX_READ_MS = 15_000

const UNKNOWN: Telemetry = { battery: null, charging: null, signal: null }

export interface ObserverPorts {
  readonly driver: Driver
  readonly health: Pick<Health, 'trouble' | 'receiveTrouble' | 'changed'>
  readonly journal: Journal
  readonly reporter: Reporter
  readonly clock: Clock
  readonly log: (line: string) => void
  readonly fault: (error: unknown) => void
}

export class Observer {
  readonly #ports: ObserverPorts
  #link: Link | null = null
  #telemetry: Telemetry = UNKNOWN
  #sims: readonly Sim[] = []
  /** The last telemetry frame on this link, and when it was sent. */
  #sent = ''
  #sentMs = 0
  #readingState = false
  #readingInbox = false
  #cancels: (() => void)[] = []

  constructor(ports: ObserverPorts) {
    this.#ports = ports
  }

  get trouble(): string | null {
    return this.#ports.health.trouble
  }

  get receiveTrouble(): string | null {
    return this.#ports.health.receiveTrouble
  }

  /** Whether the agent hands in received texts, unless it says why not (`receiveTrouble`). */
  get receives(): boolean {
    return this.#ports.driver.incoming !== undefined
  }

  /** The version of the app that sends. Null: not known, or the agent itself sends. */
  get appVersion(): string | null {
    return this.#ports.driver.appVersion?.() ?? null
  }

  get sims(): readonly Sim[] {
    return this.#sims
  }

  /**
   * Starts reading. The promise resolves after the first reading of the state. It does not wait for received
   * texts.
   */
  async start(): Promise<void> {
    const { clock, driver } = this.#ports
    if (driver.incoming !== undefined) {
      this.#cancels.push(repeat(clock, AGENT_INBOX_READ_MS, () => void this.#readInbox()))
      driver.onIncoming?.(() => void this.#readInbox())
      void this.#readInbox()
    }
    if (driver.telemetry === undefined && driver.sims === undefined) return
    this.#cancels.push(repeat(clock, AGENT_TELEMETRY_READ_MS, () => void this.#readState()))
    await this.#readState()
  }

  stop(): void {
    for (const cancel of this.#cancels) cancel()
    this.#cancels = []
  }

  attach(link: Link): void {
    this.#link = link
    this.#sent = ''
    const { driver, health } = this.#ports
    health.changed = () => this.#send()
    // For other drivers, a telemetry frame would only repeat what `hello` said.
    if (driver.telemetry !== undefined || driver.sims !== undefined) this.#send()
  }

  detach(): void {
    this.#link = null
  }

  async #readState(): Promise<void> {
    if (this.#readingState) return
    this.#readingState = true
    const { driver, log } = this.#ports
    try {
      this.#telemetry = (await driver.telemetry?.()) ?? UNKNOWN
      this.#sims = (await driver.sims?.()) ?? []
      this.#send()
    } catch (error) {
      log(`The phone's state cannot be read: ${reasonOf(error)}`)
    } finally {
      this.#readingState = false
    }
  }

  #send(): void {
    const { clock } = this.#ports
    if (this.#link === null) return
    const sims = [...this.#sims]
    const { trouble, receiveTrouble } = this
    const rest = { sims, busy: null, trouble, receiveTrouble }
    const frame: TelemetryFrame = { type: 'telemetry', ...this.#telemetry, ...rest }
    const text = JSON.stringify(frame)
    const nowMs = clock.monotonicMs()
    if (text === this.#sent && nowMs - this.#sentMs < AGENT_TELEMETRY_EVERY_MS) return
    this.#sent = text
    this.#sentMs = nowMs
    this.#link.send(frame)
  }

  async #readInbox(): Promise<void> {
    const { driver, journal, reporter, log, fault } = this.#ports
    if (this.#readingInbox || driver.incoming === undefined) return
    this.#readingInbox = true
    try {
      const { messages, cursor } = await driver.incoming(journal.cursor, id => journal.received.has(id))
      const isStopped = this.#cancels.length === 0
      if (isStopped || (messages.length === 0 && cursor === journal.cursor)) return
      journal.receive(messages, cursor)
      if (messages.length > 0) log(`${messages.length} received`)
      reporter.flush()
    } catch (error) {
      fault(error)
    } finally {
      this.#readingInbox = false
    }
  }
}
