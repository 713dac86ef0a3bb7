/** The real program on a clock that a script moves (fast-clock.cjs), with a phone that is always there. */
import { openSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import * as v from 'valibot'
import { type Cleaner, GatewayProcess, type GatewaySettings } from '#test/kit/gateway-process.ts'
import { PairedPhone } from '#test/kit/paired-phone.ts'
import { temporaryDirectory } from '#test/kit/temporary-directory.ts'

const CLOCK = fileURLToPath(import.meta.resolve('./fast-clock.cjs'))
/** Time moves in steps of at most this much, so that what repeats within an hour is done in its order. */
const STEP_MS = 50 * 60_000
/** Real time in which the program does what one step made due. */
const SETTLE_MS = 60

export class TimedGateway {
  readonly gateway: GatewayProcess
  readonly phone: PairedPhone
  readonly #clock: Clock

  private constructor(gateway: GatewayProcess, phone: PairedPhone, clock: Clock) {
    this.gateway = gateway
    this.phone = phone
    this.#clock = clock
  }

  /** Starts it at this time. */
  static async start(t: Cleaner, startMs: number, settings: GatewaySettings = {}): Promise<TimedGateway> {
    const clock = new Clock(temporaryDirectory(t), startMs)
    const env = { ...settings.env, FAST_CLOCK: clock.file, NODE_OPTIONS: `--require=${CLOCK}` }
    const gateway = await GatewayProcess.start(t, { ...settings, env })
    const { data } = await gateway.asOwner('POST', '/devices/pairings', {})
    const phone = await PairedPhone.pairWith(gateway.url, v.parse(v.object({ code: v.string() }), data).code)
    const timed = new TimedGateway(gateway, phone, clock)
    await timed.connect()
    return timed
  }

  /** The true time, whatever the machine's clock says. */
  get nowMs(): number {
    return this.#clock.nowMs
  }

  connect(): Promise<void> {
    return this.phone.connect(this.gateway.url, { receives: true })
  }

  /** Lets time pass. The phone connects again if the gateway has missed it. */
  async pass(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= STEP_MS) {
      this.#clock.move({ passedMs: Math.min(left, STEP_MS) })
      await pause(SETTLE_MS)
      if (!this.phone.isConnected) await this.connect()
    }
  }

  passUntil(atMs: number): Promise<void> {
    return this.pass(Math.max(0, atMs - this.nowMs))
  }

  /** From now on the machine's clock is off by so much. */
  setWrong(ms: number): void {
    this.#clock.move({ wrongMs: ms })
  }

  /** Ends the process with a signal. Time passes, and it starts again. */
  async off(ms: number, { signal = 'SIGTERM', wrongMs = 0 }: { signal?: NodeJS.Signals; wrongMs?: number } = {}) {
    await this.gateway.kill(signal)
    this.#clock.move({ passedMs: ms, wrongMs })
    await this.gateway.restart()
    await this.connect()
  }

  async owner<T>(method: string, path: string, body?: unknown): Promise<T> {
    const { status, data, error } = await this.gateway.asOwner(method, path, body)
    if (status >= 300) throw new Error(`${method} ${path} was answered ${status}: ${JSON.stringify(error)}`)
    return data as T
  }

  /** The problems of the clock. */
  async wrongClocks(): Promise<readonly string[]> {
    const { problems } = v.parse(Problems, await this.owner('GET', '/status'))
    return problems.filter(({ code }) => code === 'CLOCK_WRONG').map(({ message }) => message)
  }
}

const Problems = v.object({ problems: v.array(v.object({ code: v.string(), message: v.string() })) })

/** The file that the program's clocks follow. */
class Clock {
  readonly file: string
  readonly #descriptor: number
  #passedMs: number
  #wrongMs = 0

  constructor(folder: string, startMs: number) {
    this.file = join(folder, 'clock')
    this.#passedMs = startMs - Date.now()
    writeFileSync(this.file, Buffer.alloc(16))
    this.#descriptor = openSync(this.file, 'r+')
    this.move({})
  }

  get nowMs(): number {
    return Date.now() + this.#passedMs
  }

  move({ passedMs = 0, wrongMs = this.#wrongMs }: { passedMs?: number; wrongMs?: number }): void {
    this.#passedMs += passedMs
    this.#wrongMs = wrongMs
    const numbers = Buffer.alloc(16)
    numbers.writeDoubleLE(this.#passedMs, 0)
    numbers.writeDoubleLE(this.#wrongMs, 8)
    writeSync(this.#descriptor, numbers, 0, 16, 0)
  }
}
