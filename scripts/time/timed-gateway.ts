/** The real program on a clock that a script moves (fast-clock.cjs), with a phone that is always there. */
import { mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import * as v from 'valibot'
import { type Cleaner, GatewayProcess, type GatewaySettings } from '#test/kit/gateway-process.ts'
import { PairedPhone } from '#test/kit/paired-phone.ts'
import { temporaryDirectory } from '#test/kit/temporary-directory.ts'

const CLOCK = fileURLToPath(import.meta.resolve('./fast-clock.cjs'))
/** Time moves in steps of at most this much, so that what repeats within an hour is done in its order. */
const STEP_MS = 50 * 60_000
/** Each thread of the program looks at its clock so often in real time. Twice that, and some more. */
const LOOKED_MS = 12

/** Whether it is so at once or soon: the program has a moment of real time to do what is due. */
export async function becomes(isSo: () => boolean | Promise<boolean>): Promise<boolean> {
  for (let tries = 0; tries < 100; tries++) {
    if (await isSo()) return true
    await pause(100)
  }
  return false
}

export class TimedGateway {
  readonly gateway: GatewayProcess
  readonly phone: PairedPhone
  /** The environment of the next start. */
  readonly env: Record<string, string>
  readonly #clock: Clock
  #token = ''
  #connecting: Promise<void> | null = null

  private constructor(parts: Pick<TimedGateway, 'gateway' | 'phone' | 'env'>, clock: Clock) {
    this.gateway = parts.gateway
    this.phone = parts.phone
    this.env = parts.env
    this.#clock = clock
  }

  /** Starts it at this time. */
  static async start(t: Cleaner, startMs: number, settings: GatewaySettings = {}): Promise<TimedGateway> {
    const folder = temporaryDirectory(t)
    const clock = new Clock(folder, startMs)
    const env: Record<string, string> = {
      ROOST_DEVICES__OFFLINE_AFTER_S: '3600',
      ...settings.env,
      FAST_CLOCK: clock.file,
      NODE_OPTIONS: `--require=${CLOCK}`,
      PATH: [clock.programs, process.env['PATH']].join(delimiter),
    }
    const gateway = await GatewayProcess.start(t, { ...settings, env })
    const { data } = await gateway.asOwner('POST', '/devices/pairings', {})
    const phone = await PairedPhone.pairWith(gateway.url, v.parse(v.object({ code: v.string() }), data).code)
    const timed = new TimedGateway({ gateway, phone, env }, clock)
    await timed.connect()
    return timed
  }

  /** The true time, whatever the machine's clock says. */
  get nowMs(): number {
    return this.#clock.nowMs
  }

  connect(): Promise<void> {
    this.#connecting ??= this.phone.connect(this.gateway.url, { receives: true, calls: true }).finally(() => {
      this.#connecting = null
    })
    return this.#connecting
  }

  /** Lets time pass. The phone connects again if the gateway has missed it. */
  async pass(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= STEP_MS) {
      this.#clock.move({ passedMs: Math.min(left, STEP_MS) })
      await this.#settle()
      if (!this.phone.isConnected) await this.connect()
    }
  }

  /** Lets the program do what is due. On a busy machine that takes longer, and so does an answer. */
  async #settle(): Promise<void> {
    for (let times = 0; times < 3; times++) {
      await pause(LOOKED_MS)
      await this.gateway.api('GET', '/account/usage')
    }
  }

  passUntil(atMs: number): Promise<void> {
    return this.pass(Math.max(0, atMs - this.nowMs))
  }

  /** From now on the machine's clock is off by so much. */
  setWrong(ms: number): void {
    this.#clock.move({ wrongMs: ms })
  }

  /** From now on the machine says that a time server keeps its clock right; or that none does. */
  setSynchronised(isSynchronised: boolean): void {
    this.#clock.setSynchronised(isSynchronised)
  }

  /** Ends the process with a signal. Time passes, and it starts again. */
  async off(
    ms: number,
    { signal = 'SIGTERM', wrongMs = 0 }: { signal?: NodeJS.Signals; wrongMs?: number } = {},
  ) {
    await this.gateway.kill(signal)
    this.#clock.move({ passedMs: ms, wrongMs })
    await this.gateway.restart()
    await this.connect()
  }

  async owner<T>(method: string, path: string, body?: unknown): Promise<T> {
    const ask = () => {
      const headers = { Authorization: `Bearer ${this.#token}`, 'X-API-Key': '' }
      return this.gateway.api(method, path, { body, headers })
    }
    let answer = await ask()
    if (answer.status === 401) {
      this.#token = String((await this.gateway.cli('token', '--ttl', '7d'))['token'])
      answer = await ask()
    }
    const { status, data, error } = answer
    if (status >= 300) throw new Error(`${method} ${path} was answered ${status}: ${JSON.stringify(error)}`)
    return data as T
  }

  /** Makes a webhook. Returns a function that posts an alert to it. */
  async webhook(fields: object): Promise<(alert: object) => Promise<{ incidentId?: string }>> {
    const { url } = await this.owner<{ url: string }>('POST', '/webhooks', fields)
    return async alert => {
      const headers = { 'Content-Type': 'application/json' }
      const target = new URL(url, this.gateway.url)
      const response = await fetch(target, { method: 'POST', headers, body: JSON.stringify(alert) })
      if (!response.ok) throw new Error(`an alert was answered ${response.status}: ${await response.text()}`)
      return ((await response.json()) as { data: { incidentId?: string } }).data
    }
  }

  async problems(): Promise<v.InferOutput<typeof Problems>['problems']> {
    return v.parse(Problems, await this.owner('GET', '/status')).problems
  }

  /** What is said of the clock. */
  async wrongClocks(): Promise<readonly string[]> {
    return (await this.problems()).filter(({ code }) => code === 'CLOCK_WRONG').map(({ message }) => message)
  }
}

const Problems = v.object({ problems: v.array(v.object({ code: v.string(), message: v.string() })) })

/** The file that the program's clocks follow. */
class Clock {
  readonly file: string
  /** A folder with a `timedatectl` that says what this clock does. */
  readonly programs: string
  readonly #descriptor: number
  #passedMs: number
  #wrongMs = 0

  constructor(folder: string, startMs: number) {
    this.file = join(folder, 'clock')
    this.programs = join(folder, 'bin')
    mkdirSync(this.programs)
    this.setSynchronised(false)
    this.#passedMs = startMs - Date.now()
    writeFileSync(this.file, Buffer.alloc(16))
    this.#descriptor = openSync(this.file, 'r+')
    this.move({})
  }

  get nowMs(): number {
    return Date.now() + this.#passedMs
  }

  setSynchronised(isSynchronised: boolean): void {
    const script = `#!/bin/sh\necho NTPSynchronized=${isSynchronised ? 'yes' : 'no'}\n`
    writeFileSync(join(this.programs, 'timedatectl'), script, { mode: 0o755 })
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
