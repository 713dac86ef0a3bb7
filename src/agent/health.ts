/**
 * Watches whether the phone can send. While it cannot, the gateway knows the reason and offers it no
 * messages. The agent checks the phone again until it can send.
 */
import { AgentError } from '#agent/agent-error.ts'
import { type Clock, pause } from '#agent/clock.ts'
import type { Driver, Outcome } from '#agent/drivers/driver.ts'
import { CANNOT_SEND_CODES } from '#contracts/device-frames.ts'

/**
 * Interval of the check while the phone cannot send, if the driver has no regular check. Each check may show
 * the permission dialogue again.
 */
export const AGENT_CHECK_EVERY_MS = 60_000
/**
 * Before pairing, the user has this long to answer the permission dialogue. A pairing code lasts 10 minutes.
 */
const AGENT_PERMISSION_MS_MAX = 120_000
/** Interval at which the agent meanwhile checks whether the user has given the permission. */
export const AGENT_PERMISSION_CHECK_MS = 5_000
/** If the driver has a regular check, it runs this many times as often while the phone cannot send. */
const AGENT_TROUBLE_CHECK_FACTOR = 5

export interface HealthPorts {
  readonly driver: Driver
  readonly clock: Clock
  readonly log: (line: string) => void
  /** Aborts when the agent stops. */
  readonly stop: AbortSignal
}

export class Health {
  /** Why the phone cannot send, a sentence. Null: it can. */
  trouble: string | null = null
  /** Why the agent does not get received texts, a sentence. Null: it gets them. */
  receiveTrouble: string | null = null
  /** Called when `trouble` or `receiveTrouble` changes. */
  changed: () => void = () => {}
  readonly #ports: HealthPorts
  /** Whether checks run in the background. */
  #isChecking = false

  constructor(ports: HealthPorts) {
    this.#ports = ports
  }

  /**
   * Checks the phone once. Keeps checking in the background: with `checkEveryMs` always, otherwise until the
   * phone can send.
   */
  async start(): Promise<void> {
    await this.#checkAndReport()
    const { driver } = this.#ports
    if (driver.checkEveryMs === undefined) {
      if (this.trouble !== null) void this.#checkUntilItCanSend()
      return
    }
    this.#isChecking = true
    void this.#checkForever(driver.checkEveryMs)
  }

  /** Checks more often while the phone cannot send, to notice its recovery soon. */
  async #checkForever(everyMs: number): Promise<void> {
    const { clock, stop } = this.#ports
    while (!stop.aborted) {
      await pause(clock, this.trouble === null ? everyMs : everyMs / AGENT_TROUBLE_CHECK_FACTOR, stop)
      if (!stop.aborted) await this.#checkAndReport()
    }
  }

  /**
   * Whether the phone can send a text now. A phone that is checked at an interval is checked once more,
   * except while it is known that it cannot send.
   */
  async canSendNow(): Promise<boolean> {
    if (this.#ports.driver.checkEveryMs === undefined) return true
    if (this.trouble === null) await this.#checkAndReport()
    return this.trouble === null
  }

  /** Call this with the outcome of each text: some failures mean that the next text would fail, too. */
  noteOutcome({ code, detail }: Outcome): void {
    if (code === undefined || !CANNOT_SEND_CODES.includes(code)) return
    this.#set(detail ?? `it cannot send: ${code}`)
    void this.#checkUntilItCanSend()
  }

  /** Checks the phone before it is paired. @throws AgentError if it cannot send */
  async expectAbleToSend(): Promise<void> {
    const trouble = await this.#check()
    if (trouble !== null) throw new AgentError(`This phone cannot send: ${trouble}.`)
  }

  /** Before the phone is paired, gives its owner time to grant the permission that Android asks for. */
  async waitForPermission(): Promise<void> {
    const { clock, log, stop } = this.#ports
    const untilMs = clock.monotonicMs() + AGENT_PERMISSION_MS_MAX
    for (let logged: string | null = null; !stop.aborted; ) {
      const trouble = await this.#check()
      if (trouble === null || clock.monotonicMs() >= untilMs) return
      if (trouble !== logged) log(`This phone cannot send yet: ${trouble}.`)
      logged = trouble
      await pause(clock, AGENT_PERMISSION_CHECK_MS, stop)
    }
  }

  async #checkUntilItCanSend(): Promise<void> {
    if (this.#isChecking) return
    this.#isChecking = true
    const { clock, stop } = this.#ports
    while (this.trouble !== null && !stop.aborted) {
      await pause(clock, AGENT_CHECK_EVERY_MS, stop)
      // A driver without `check` counts as able to send, so that the next text tries it.
      await this.#checkAndReport()
    }
    this.#isChecking = false
  }

  async #checkAndReport(): Promise<void> {
    const trouble = await this.#check()
    if (!this.#ports.stop.aborted) this.#set(trouble)
  }

  async #check(): Promise<string | null> {
    try {
      return (await this.#ports.driver.check?.()) ?? null
    } catch {
      return null
    }
  }

  #set(trouble: string | null): void {
    const { driver, log } = this.#ports
    const receiveTrouble = driver.receiveTrouble?.() ?? null
    if (trouble === this.trouble && receiveTrouble === this.receiveTrouble) return
    if (trouble !== this.trouble)
      log(trouble === null ? 'This phone can send.' : `This phone cannot send: ${trouble}.`)
    if (receiveTrouble !== null && receiveTrouble !== this.receiveTrouble)
      log(`About this phone: ${receiveTrouble}.`)
    this.trouble = trouble
    this.receiveTrouble = receiveTrouble
    this.changed()
  }
}
