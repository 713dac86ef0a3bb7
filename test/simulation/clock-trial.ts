/**
 * One trial about time: texts, alerts and silence, while the machine's clock jumps and the gateway restarts,
 * all drawn from one seed. The trial knows the true time, and checks what came when.
 */
import { messageOfRow } from '#storage/message-row.ts'
import { hash } from '#storage/source.ts'
import { acceptedIn, messageToAccept } from '#test/kit/messages.ts'
import { Random } from '#test/kit/random.ts'
import { TestPhone } from '#test/kit/test-phone.ts'
import { NO_FACTS, NOT_READ } from '#test/kit/webhook-world.ts'
import { type ClockBench, START_MS } from '#test/simulation/clock-bench.ts'
import { type Awaited, ClockRecord, SILENCE_MS, type Span } from '#test/simulation/clock-record.ts'
import type { Outcome } from '#test/simulation/invariants.ts'

const SECOND = 1000
const MINUTE = 60_000
const HOUR = 3_600_000
const DAY = 24 * HOUR
/** How often the gateway looks at its clock at least, as its health is checked. */
const STEP_MS = 5 * SECOND
/** A clock that was put right is so after this time, as with a time server. */
const WRONG_MS = 12 * SECOND
const END_MS = 100 * MINUTE
const SIZES = [2 * MINUTE, 20 * MINUTE, 3 * HOUR, DAY, 7 * DAY] as const

export function runClockTrial(bench: ClockBench, seed: number, trace?: (line: string) => void): Outcome {
  bench.reset()
  return new ClockTrial(bench, seed, trace ?? (() => {})).run()
}

class ClockTrial {
  readonly #bench: ClockBench
  readonly #random: Random
  readonly #trace: (line: string) => void
  readonly #phone: TestPhone
  readonly #record = new ClockRecord()
  readonly #events: { readonly at: number; readonly run: () => void }[] = []
  /** What was written, its column, and when. */
  readonly #written: { readonly sql: string; readonly at: number }[] = []
  #now = 0
  #errorMs = 0
  #seen = 0

  constructor(bench: ClockBench, seed: number, trace: (line: string) => void) {
    this.#bench = bench
    this.#random = new Random(seed)
    this.#trace = trace
    this.#phone = new TestPhone(bench.kit.world, bench.kit.deviceId)
  }

  run(): Outcome {
    this.#drawJumps()
    this.#drawWork()
    this.#events.sort((a, b) => a.at - b.at)
    this.#connect()
    for (const { at, run } of this.#events) {
      this.#passUntil(at)
      run()
    }
    this.#passUntil(END_MS)
    return { wrong: this.#check(), ends: this.#ends() }
  }

  get #world() {
    return this.#bench.kit.world
  }

  #at(at: number, run: () => void): void {
    this.#events.push({ at: Math.round(at), run })
  }

  /** The clock jumps while the gateway runs, while it is off, or before a restart and back after it. */
  #drawJumps(): void {
    const random = this.#random
    let at = random.between(MINUTE, 10 * MINUTE)
    for (let left = 1 + random.below(3); left > 0; left--) {
      const ms = random.pick(SIZES) * random.pick([1, -1])
      const offMs = random.pick([SECOND, 10 * SECOND, 2 * MINUTE, 20 * MINUTE])
      const kind = random.pick(['running', 'running', 'off', 'around', 'restart'])
      const from = Math.round(at)
      if (kind === 'running') this.#jump({ from, to: from + WRONG_MS, ms })
      if (kind === 'restart') this.#stop({ from, to: from + offMs })
      if (kind === 'off') {
        this.#stop({ from, to: from + offMs })
        this.#jump({ from: from + 1, to: from + offMs + WRONG_MS, ms })
      }
      if (kind === 'around') {
        this.#jump({ from, to: from + WRONG_MS, ms })
        this.#stop({ from: from + 3 * SECOND, to: from + 3 * SECOND + Math.min(offMs, 5 * SECOND) })
      }
      at = from + offMs + WRONG_MS + random.between(MINUTE, 15 * MINUTE)
    }
  }

  #jump(wrong: Span & { readonly ms: number }): void {
    this.#record.wrongs.push(wrong)
    this.#at(wrong.from, () => this.#setClock(wrong.ms))
    this.#at(wrong.to, () => this.#setClock(0))
  }

  #setClock(errorMs: number): void {
    this.#note(`the clock is off by ${errorMs / SECOND} s`)
    this.#world.wallMs += errorMs - this.#errorMs
    this.#errorMs = errorMs
    if (this.#record.isUp(this.#now)) this.#pass(0)
  }

  #stop(off: Span): void {
    this.#record.offs.push(off)
    this.#at(off.from, () => this.#note('the gateway stops'))
    this.#at(off.to, () => {
      this.#note('the gateway starts')
      this.#world.restart()
      this.#connect()
    })
  }

  #connect(): void {
    this.#phone.hello('US', { receives: true })
    this.#phone.sync()
    this.#pass(0)
  }

  #drawWork(): void {
    const random = this.#random
    const anyTime = () => Math.round(random.between(SECOND, 40 * MINUTE))
    for (let left = 1 + random.below(3); left > 0; left--) {
      const at = Math.round(random.between(SECOND, 20 * MINUTE))
      const aheadMs = Math.round(random.between(MINUTE, 40 * MINUTE))
      const ttlMs = random.pick([MINUTE, 10 * MINUTE, HOUR])
      this.#whenUp(at, () => this.#plan(at + aheadMs, ttlMs))
    }
    for (let left = random.below(4); left > 0; left--) this.#whenUp(anyTime(), () => this.#receive())
    for (let left = random.below(3); left > 0; left--) this.#whenUp(anyTime(), () => this.#send())
    if (random.chance(0.7)) this.#whenUp(anyTime(), () => this.#storm())
    if (random.chance(0.7)) this.#whenUp(anyTime(), () => this.#alarm())
    if (random.chance(0.7)) this.#whenUp(anyTime(), () => this.#hear())
  }

  /** At this time, or as soon as the gateway is up again. */
  #whenUp(at: number, run: () => void): void {
    this.#at(this.#record.upAfter(at), run)
  }

  #plan(sendAt: number, ttlMs: number): void {
    if (sendAt <= this.#now + SECOND) return
    const { accountId } = this.#bench.kit
    const input = messageToAccept(accountId, { sendAt: START_MS + sendAt, ttlMs, queueIfOffline: true })
    const said = this.#ask(() => acceptedIn(this.#world.ask('message.accept', input)).messageId)
    // A clock that is far off refuses a time that seems to be past, or too far ahead.
    if (said === null) return
    this.#note(`planned ${said.slice(-4)} for ${sendAt / SECOND} s, ttl ${ttlMs / SECOND} s`)
    this.#record.planned.push({ id: said, sendAt, ttlMs })
  }

  #send(): void {
    const input = messageToAccept(this.#bench.kit.accountId, { queueIfOffline: true })
    const { messageId } = acceptedIn(this.#world.ask('message.accept', input))
    for (const column of ['created_at', 'serial / 1000'])
      this.#wrote(`SELECT ${column} AS at FROM message WHERE id = '${messageId}'`)
  }

  #receive(): void {
    const id = `r${this.#now}`
    this.#phone.sendFrame({
      type: 'received',
      id,
      from: '+14155550999',
      message: 'hello',
      at: null,
      simSlot: 1,
    })
    this.#wrote(`SELECT received_at AS at FROM received WHERE phone_message_id = '${id}'`)
  }

  #wrote(sql: string): void {
    this.#written.push({ sql, at: this.#now })
  }

  #storm(): void {
    for (const subject of ['A', 'B', 'C', 'D', 'E']) this.#trigger(this.#bench.tokens.storm, subject)
    this.#await({ what: 'the gathered text', text: '1 down: E. 4 still down', dueAt: this.#now + MINUTE })
  }

  #alarm(): void {
    this.#trigger(this.#bench.kit.token, 'nas')
    const asks = [5, 10].map(minutes => this.#now + minutes * MINUTE)
    for (const [step, dueAt] of asks.entries())
      this.#await({ what: `step ${step + 2}`, text: `step ${step + 2} of 3, round 1`, dueAt })
  }

  #hear(): void {
    const { accountId } = this.#bench.kit
    const change = { silentAfterMinutes: 10 }
    this.#world.ask('webhook.update', { accountId, webhookId: this.#bench.silentId, change })
    this.#await({ what: 'SILENT', text: 'SILENT', dueAt: this.#now + SILENCE_MS, isSilence: true })
  }

  #await(awaited: Awaited): void {
    this.#note(`awaits ${awaited.what} at ${awaited.dueAt / SECOND} s`)
    this.#record.awaited.push(awaited)
  }

  #trigger(token: string, subject: string): void {
    const request = `DOWN ${subject}`
    this.#world.ask('webhook.trigger', {
      ...NOT_READ,
      tokenHash: hash(token),
      requestHash: hash(request),
      text: request,
      segments: 1,
      encoding: 'GSM-7',
      format: 'generic',
      address: '192.0.2.1',
      facts: { ...NO_FACTS, key: `thing:${subject}`, subject, state: 'firing' },
    })
  }

  #ask<T>(run: () => T): T | null {
    try {
      return run()
    } catch {
      return null
    }
  }

  #note(words: string): void {
    this.#trace(`${(this.#now / SECOND).toFixed(0).padStart(6)} ${words}`)
  }

  #passUntil(at: number): void {
    while (this.#now < at) this.#pass(Math.min(STEP_MS, at - this.#now))
  }

  #pass(ms: number): void {
    const isUp = this.#record.isUp(this.#now)
    this.#now += ms
    if (!isUp) this.#moveClocks(ms)
    else {
      this.#world.advance(ms)
      this.#look()
    }
  }

  /** Time that passes while the gateway is off. */
  #moveClocks(ms: number): void {
    this.#world.wallMs += ms
    this.#world.monoMs += ms
  }

  /** The phone sends what it is offered, and the trial notes what was told. */
  #look(): void {
    for (const id of this.#phone.offered()) {
      if (!this.#record.offeredAt.has(id)) this.#record.offeredAt.set(id, this.#now)
      this.#phone.begin(id)
      this.#phone.report(id, 'sent')
    }
    const { database } = this.#world
    const texts = database.prepare('SELECT text FROM message ORDER BY id LIMIT -1 OFFSET ?').all(this.#seen)
    this.#seen += texts.length
    for (const row of texts) this.#told(String(row['text']).replace(/^SILENT.*/, 'SILENT'))
    const steps = database.prepare("SELECT content ->> '$.timeline' AS timeline FROM incident").all()
    for (const { timeline } of steps)
      for (const { event, detail } of JSON.parse(String(timeline)))
        if (event === 'escalated' && !this.#record.toldAt.has(detail)) this.#told(detail)
  }

  #told(text: string): void {
    this.#note(`told: ${text}`)
    this.#record.toldAt.set(text, [...(this.#record.toldAt.get(text) ?? []), this.#now])
  }

  #check(): string[] {
    const { database, faults } = this.#world
    const dated = this.#written.map(({ sql, at }) => {
      return { what: sql, at, stored: Number(database.prepare(sql).get()?.['at']) - START_MS }
    })
    return [...faults.map(fault => `a fault: ${fault}`), ...this.#record.check(dated)]
  }

  #ends(): string[] {
    const rows = this.#world.database.prepare('SELECT * FROM message').all()
    return rows.map(messageOfRow).map(({ status, failure }) => failure?.code ?? status)
  }
}
