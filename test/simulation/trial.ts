/**
 * One trial: a few phones, a few messages and many faults, all drawn from one seed. Then the faults end, time
 * passes until every message must be final, and the invariants are checked (invariants.ts).
 */

import type { AcceptedMessage, AcceptMessage } from '#contracts/commands.ts'
import type { MessageToSend } from '#contracts/phone-orders.ts'
import { plainText } from '#domain/message/message-fields.ts'
import { acceptedIn } from '#test/kit/messages.ts'
import { Random } from '#test/kit/random.ts'
import { seededSource } from '#test/kit/seeded-source.ts'
import type { Bench } from '#test/simulation/bench.ts'
import { Faults } from '#test/simulation/faults.ts'
import { IncidentCourse, prepareIncidents } from '#test/simulation/incident-course.ts'
import { checkMemory, checkOutcome, type Outcome, type Seen } from '#test/simulation/invariants.ts'
import { Link } from '#test/simulation/link.ts'
import { ModelGateway } from '#test/simulation/model-gateway.ts'
import { ModelPhone } from '#test/simulation/model-phone.ts'
import { ModelTakingPhone } from '#test/simulation/model-taking-phone.ts'
import { type Mutant, NO_MUTANT } from '#test/simulation/mutant.ts'
import { Schedule } from '#test/simulation/schedule.ts'

const HOUR_MS = 3_600_000
/** Longer than the longest time to live and the last wait for a report. */
const CALM_MS = 6 * HOUR_MS
/**
 * Two of the longest retry delays, and five minutes. A message with more time left when the faults end must
 * not expire.
 */
const HURRY_MS = 1_500_000
/** A trial with more steps is in an endless loop. */
const STEPS_MAX = 20_000

export interface TrialOptions {
  readonly mutant?: Mutant
  /** Whether alarms, answers and incidents take part. */
  readonly hasIncidents?: boolean
  /** Called with a line for each event, to debug a failed trial. */
  readonly trace?: (line: string) => void
}

export function runTrial(bench: Bench, seed: number, options: TrialOptions = {}): Outcome {
  bench.reset()
  return new Trial(bench, seed, options).run()
}

class Trial {
  readonly #bench: Bench
  readonly #random: Random
  readonly #faults: Faults
  readonly #schedule = new Schedule()
  readonly #gateway: ModelGateway
  readonly #phones: ReadonlyMap<number, ModelPhone | ModelTakingPhone>
  readonly #seen: Seen = {
    accepted: new Set(),
    cancelled: new Set(),
    inTime: new Set(),
    transmitted: [],
    told: [],
    handed: new Map(),
    wrong: [],
  }
  readonly #links: Link[] = []
  /** Whether the owner has paused each phone. */
  readonly #paused: boolean[] = []
  readonly #trace: (words: string) => void
  readonly #course: IncidentCourse | null

  constructor(bench: Bench, seed: number, options: TrialOptions) {
    const { mutant = NO_MUTANT, trace, hasIncidents = false } = options
    this.#bench = bench
    if (hasIncidents) prepareIncidents(bench)
    this.#random = new Random(seed)
    this.#faults = new Faults(this.#random)
    const schedule = this.#schedule
    this.#trace =
      trace === undefined
        ? () => {}
        : words => trace(`${(schedule.now / 1000).toFixed(3).padStart(9)} ${words}`)
    this.#gateway = new ModelGateway({
      bench,
      schedule,
      faults: this.#faults,
      source: seededSource(this.#random),
      mutant,
      links: this.#links,
      trace: this.#trace,
      told: (messageId, attempt) => this.#seen.told.push(`${messageId}/${attempt}`),
      handed: (messages, phone) => this.#hand(messages, phone),
      checkMemory: (batch, now) => this.#seen.wrong.push(...checkMemory(bench, batch, now)),
    })
    this.#phones = new Map(this.#choosePhones(mutant).map(index => [index, this.#phone(index, mutant)]))
    const ports = { bench, schedule, mutant, random: this.#random, gateway: this.#gateway }
    this.#course = hasIncidents
      ? new IncidentCourse({ ...ports, links: this.#links, trace: this.#trace })
      : null
  }

  run(): Outcome {
    for (const phone of this.#phones.values()) phone.start()
    const messages = 1 + this.#random.below(3)
    for (let i = 0; i < messages; i++)
      this.#schedule.after(this.#random.between(0, 60_000), () => this.#send(`key ${i}`, this.#drawMessage()))
    this.#planTrouble()
    this.#course?.plan()
    this.#schedule.after(this.#random.between(60_000, 1_200_000), () => this.#calm())
    this.#runUntilOver()
    this.#gateway.checkMemory()
    this.#seen.wrong.push(...(this.#course?.check() ?? []))
    return checkOutcome(this.#bench.database, this.#seen)
  }

  #runUntilOver(): void {
    const { now } = this.#schedule
    let over = Number.POSITIVE_INFINITY
    for (let steps = 0; ; steps++) {
      if (steps > STEPS_MAX)
        return void this.#seen.wrong.push(`the trial is in an endless loop: more than ${STEPS_MAX} steps`)
      if (this.#faults.calm && over === Number.POSITIVE_INFINITY) over = this.#schedule.now + CALM_MS
      const at = Math.min(this.#schedule.nextAt, this.#gateway.nextAt)
      if (at > Math.min(over, now + 10 * CALM_MS)) return
      if (this.#gateway.nextAt < this.#schedule.nextAt) {
        this.#schedule.now = this.#gateway.nextAt
        this.#gateway.run()
      } else this.#schedule.runNext()
    }
  }

  /** Draws two or three phones, of one kind or of both. */
  #choosePhones(mutant: Mutant): readonly number[] {
    const { asking, taking } = this.#bench
    const first = this.#random.below(2)
    const several = asking.slice(0, 2 + first)
    const kind = mutant.phones ?? this.#random.pick(['asking', 'both', 'taking'])
    if (kind === 'both') return [...asking.slice(0, 1), ...taking.slice(first)]
    return kind === 'asking' ? several : taking
  }

  #phone(index: number, mutant: Mutant): ModelPhone | ModelTakingPhone {
    const ports = {
      index,
      schedule: this.#schedule,
      faults: this.#faults,
      mutant,
      gateway: () => this.#gateway,
      isEager: this.#random.chance(0.3),
      losesSentReports: this.#random.chance(0.03),
      hangsAfterGo: this.#random.chance(0.1),
      country: index === 0 ? 'US' : 'DE',
      connect: (): Link | null => (this.#gateway.isUp ? this.#connect(index, phone) : null),
      transmitted: (messageId: string, attempt: number) =>
        this.#seen.transmitted.push({ messageId, attempt, phone: index }),
      trace: (words: string) => this.#trace(`  phone ${index} ${words}`),
    }
    const takes = this.#bench.taking.includes(index)
    const phone = takes ? new ModelTakingPhone(ports, this.#bench.tokens[index] ?? '') : new ModelPhone(ports)
    return phone
  }

  /** Records handed messages. An attempt may be handed over repeatedly, but only to one phone. */
  #hand(messages: readonly MessageToSend[], phone: number): void {
    const { handed, told, wrong } = this.#seen
    for (const { messageId, attempt } of messages) {
      const key = `${messageId}/${attempt}`
      const before = handed.get(key)
      if (before === undefined) told.push(key)
      else if (before !== phone) wrong.push(`${key} was handed to phone ${before} and to phone ${phone}`)
      handed.set(key, phone)
    }
  }

  #connect(index: number, phone: ModelPhone | ModelTakingPhone): Link {
    const link = new Link(
      { phone: index, socket: this.#gateway.nextSocket() },
      {
        schedule: this.#schedule,
        faults: this.#faults,
        atGateway: (link, frame) => this.#gateway.hear(link, frame),
        closedAtGateway: (link, silentMs) => this.#gateway.closed(link, silentMs),
        atPhone: (link, frame) => phone.hear(link, frame),
        closedAtPhone: link => phone.closed(link),
      },
    )
    this.#links.push(link)
    return link
  }

  #drawMessage(): AcceptMessage {
    const random = this.#random
    const ttlMs = random.pick([null, 60_000, 300_000, HOUR_MS])
    const kind = random.pick(['sms', 'sms', '2fa', 'webhook'] as const)
    const country = random.pick([null, 'US'])
    const segments = random.pick([1, 1, 2, 12])
    const deviceId = random.chance(0.15) ? (this.#bench.deviceIds[this.#pickPhone()] ?? null) : null
    const priority = random.pick(['normal', 'high'] as const)
    const { accountId } = this.#bench
    const to = { accountId, phoneNumber: '+14155550123', country, text: 'hello' }
    return {
      ...plainText({ ...to, kind, segments, deviceId, ttlMs, priority }),
      idempotency: null,
    }
  }

  /** Sends like a careful caller: repeats with the same key until the message is accepted. */
  #send(key: string, input: AcceptMessage): void {
    const again = () => this.#schedule.after(this.#random.between(500, 10_000), () => this.#send(key, input))
    const idempotency = { scope: 'trial', key, bodyHash: key }
    this.#gateway.ask('message.accept', { ...input, idempotency }, answer => {
      if (!answer?.ok) return again()
      const { messageId } = acceptedIn(answer.output as AcceptedMessage)
      this.#trace(`accepted ${messageId.slice(-3)} ${input.kind} ttl ${input.ttlMs} ${input.deviceId ?? ''}`)
      this.#seen.accepted.add(messageId)
      if (!this.#random.chance(0.1)) return
      this.#schedule.after(this.#random.between(0, 60_000), () => this.#cancel(messageId))
    })
  }

  #cancel(messageId: string): void {
    const { accountId } = this.#bench
    this.#gateway.ask('message.cancel', { accountId, test: false, messageId }, answer => {
      if (answer?.ok !== true) return
      this.#trace(`cancelled ${messageId.slice(-3)}`)
      this.#seen.cancelled.add(messageId)
    })
  }

  #planTrouble(): void {
    const random = this.#random
    for (const phone of this.#phones.values())
      if (phone instanceof ModelTakingPhone && random.chance(0.15))
        this.#schedule.after(random.between(0, 300_000), () => phone.wipe())
    if (random.chance(0.3))
      for (let jumps = random.below(4); jumps >= 0; jumps--)
        this.#schedule.after(random.between(0, 600_000), () => this.#jumpClock())
    if (random.chance(0.3)) {
      const phone = this.#phones.get(this.#pickPhone())
      const leavesMs = random.between(0, 200_000)
      this.#schedule.after(leavesMs, () => phone?.goAway())
      this.#schedule.after(leavesMs + random.between(1000, 900_000), () => phone?.comeBack())
    }
    if (random.chance(0.2)) {
      const index = this.#pickPhone()
      const fromMs = random.between(0, 100_000)
      this.#schedule.after(fromMs, () => this.#pause(index, true))
      this.#schedule.after(fromMs + random.between(1000, 300_000), () => this.#pause(index, false))
    }
  }

  #pickPhone(): number {
    const indexes = [...this.#phones.keys()]
    return indexes[this.#random.below(indexes.length)] ?? 0
  }

  #jumpClock(): void {
    if (this.#faults.calm) return
    this.#gateway.skewMs += this.#random.between(-5 * HOUR_MS, 5 * HOUR_MS)
    this.#trace('the wall clock jumps')
  }

  #pause(index: number, paused: boolean): void {
    this.#paused[index] = paused
    const deviceId = this.#bench.deviceIds[index] ?? ''
    const input = { accountId: this.#bench.accountId, deviceId, change: { paused } }
    this.#gateway.ask('device.update', input, answer => {
      if (answer?.ok) return this.#trace(`phone ${index} is ${paused ? 'paused' : 'resumed'}`)
      this.#schedule.after(1000, () => {
        if (this.#paused[index] === paused) this.#pause(index, paused)
      })
    })
  }

  #calm(): void {
    this.#trace('the faults end')
    this.#faults.calm = true
    this.#gateway.recover()
    for (const phone of this.#phones.values()) phone.comeBack()
    for (const [index, paused] of this.#paused.entries()) if (paused === true) this.#pause(index, false)
    for (const messageId of this.#gateway.leftInTime(HURRY_MS)) this.#seen.inTime.add(messageId)
  }
}
