import { settingsOf } from '#app/config/settings.ts'
import type { CommandInput, CommandName, CommandOutput } from '#contracts/commands.ts'
import { CONFIG_DEFAULTS } from '#contracts/config.ts'
import type { GatewayFrame, PhoneFrame } from '#contracts/device-frames.ts'
import type { PhoneOrder } from '#contracts/phone-orders.ts'
import type { LastRun } from '#domain/clock/believed-clock.ts'
import type { Effect } from '#domain/effect.ts'
import { Problem } from '#domain/problem.ts'
import type { Settings } from '#domain/settings.ts'
import type { Source } from '#domain/source.ts'
import { Batch } from '#storage/batch.ts'
import { openWritable } from '#storage/database.ts'
import { migrate } from '#storage/migrate.ts'
import { systemSource } from '#storage/source.ts'
import type { DatabaseSync } from '#storage/sqlite.ts'
import { openMigrated } from '#test/kit/open-migrated.ts'
import { CLOSE_CODES, frameOf, newsOf } from '#transport/device/roost/frame-translation.ts'

/** The key for one-time codes. It survives restarts, as in a data directory. */
export const TEST_CODE_KEY = new Uint8Array(32).fill(7)

export const OFFLINE_AFTER_MS = 45_000

/** The domain on a real database in memory, with a clock that the test moves. */
export class TestWorld {
  wallMs = Date.UTC(2026, 0, 15, 12)
  monoMs = 1_000_000
  readonly faults: unknown[] = []
  readonly effects: Effect[] = []
  /** Whether the disk has room for a message. */
  hasRoom = true
  readonly database: DatabaseSync
  readonly settings: Settings
  readonly #source: Source
  /** What the mark of commits says of the time. */
  lastRun: LastRun | null = null
  batch: Batch

  constructor(file = ':memory:', source = systemSource(TEST_CODE_KEY)) {
    this.#source = source
    this.database = file === ':memory:' ? openMigrated() : openWritable(file)
    migrate(this.database)
    this.settings = testSettings()
    this.batch = this.#open()
  }

  /** Simulates a restart of the writer: the memory is lost, the database stays. */
  restart(): void {
    this.effects.length = 0
    this.batch = this.#open()
  }

  /** Carries out one command. @throws Problem for a refusal, or the error of a fault */
  ask<N extends CommandName>(name: N, input: CommandInput<N>): CommandOutput<N> {
    const faultsBefore = this.faults.length
    const { answers, effects } = this.batch.run([{ id: 0, name, input }])
    this.effects.push(...effects)
    if (this.faults.length > faultsBefore) throw this.faults.at(-1)
    const [answer] = answers
    if (answer === undefined) throw new Error('no answer')
    if (!answer.ok) throw Problem.from(answer.problem)
    return answer.output as CommandOutput<N>
  }

  /** Moves both clocks and runs everything that becomes due. */
  advance(ms: number): void {
    const until = this.monoMs + ms
    for (;;) {
      const next = Math.min(Math.max(this.batch.nextDeadline ?? until, this.monoMs), until)
      this.wallMs += next - this.monoMs
      this.monoMs = next
      this.effects.push(...this.batch.run([]).effects)
      const isMoreDue = this.batch.nextDeadline !== null && this.batch.nextDeadline <= until
      if (next === until && !isMoreDue) return
    }
  }

  /** The orders sent to this socket since the last call. */
  ordersTo(socket: number): readonly PhoneOrder[] {
    const orders: PhoneOrder[] = []
    const others: Effect[] = []
    for (const effect of this.effects) {
      if (effect.kind === 'order' && effect.connection.socket === socket) orders.push(effect.order)
      else others.push(effect)
    }
    this.effects.splice(0, this.effects.length, ...others)
    return orders
  }

  /** The same orders as frames of `roost.device.v1`. */
  framesTo(socket: number): readonly SocketOutput[] {
    return this.ordersTo(socket).map(socketOutputOf)
  }

  sendFromPhone(deviceId: string, socket: number, frame: PhoneFrame): void {
    this.ask('phone.news', { deviceId, connection: { listener: 1, socket }, news: newsOf(frame) })
  }

  #open(): Batch {
    return new Batch({
      database: this.database,
      settings: this.settings,
      source: this.#source,
      // The monotonic clock of a machine has fractions.
      now: () => ({ wallMs: Math.floor(this.wallMs), monoMs: this.monoMs + 0.375 }),
      lastRun: this.lastRun,
      passed: lastRun => {
        this.lastRun = lastRun
      },
      hasRoom: () => this.hasRoom,
      faulted: error => this.faults.push(error),
    })
  }
}

/** A frame that the gateway sends on a socket of `roost.device.v1`. */
export type SocketOutput =
  | { readonly kind: 'frame'; readonly frame: GatewayFrame }
  | { readonly kind: 'close'; readonly code: number; readonly reason: string }

export function socketOutputOf(order: PhoneOrder): SocketOutput {
  if (order.type === 'close') return { kind: 'close', code: CLOSE_CODES[order.why], reason: order.reason }
  const frame = frameOf(order)
  if (frame === null) throw new Error(`roost.device.v1 has no frame for ${order.type}`)
  return { kind: 'frame', frame }
}

/** The settings of a gateway without a configuration file. */
export function testSettings(): Settings {
  const facts = { publicUrl: 'http://gateway.test', authority: null }
  return { ...settingsOf(CONFIG_DEFAULTS, facts), timeZone: () => 'UTC' }
}
