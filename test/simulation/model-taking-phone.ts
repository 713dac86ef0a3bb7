/**
 * A phone that does not ask before it sends. It fetches messages with a request, is woken by a stream, and
 * reports with single requests that may be repeated, reordered or given up. It stores what it fetched by
 * message and attempt, so it does not send a message twice. If its data is wiped, it registers again.
 * Crashes between its radio and its own record are left out: only faults of the gateway count here.
 */
import type { JournalState, MessageToSend, PhoneOrder } from '#contracts/phone-orders.ts'
import type { Faults } from '#test/simulation/faults.ts'
import type { Link } from '#test/simulation/link.ts'
import type { ModelGateway } from '#test/simulation/model-gateway.ts'
import type { Mutant } from '#test/simulation/mutant.ts'
import type { Schedule } from '#test/simulation/schedule.ts'

/** A message as the phone stores it. */
interface Held {
  readonly messageId: string
  readonly attempt: number
  readonly untilMs: number
  state: JournalState
  code: string | null
}

export interface TakingPhonePorts {
  readonly index: number
  readonly schedule: Schedule
  readonly faults: Faults
  readonly mutant: Mutant
  readonly gateway: () => ModelGateway
  readonly connect: () => Link | null
  readonly transmitted: (messageId: string, attempt: number) => void
  readonly trace: (words: string) => void
}

const TAKES_EVERY_MS = 900_000
const REPORT_TRIES_MAX = 10
const ANSWER_MS_MAX = 10_000

export class ModelTakingPhone {
  readonly #ports: TakingPhonePorts
  readonly #held = new Map<string, Held>()
  /** null: the phone is not registered. */
  #token: string | null
  /** Increases whenever the program ends, so that events planned by an earlier run are dropped. */
  #run = 0
  /** Increases whenever the data is wiped. */
  #installation = 0
  #link: Link | null = null
  #away = false
  #down = false
  #taking = 0

  constructor(ports: TakingPhonePorts, token: string) {
    this.#ports = ports
    this.#token = token
  }

  start(): void {
    this.#later(this.#random.between(0, 3000), () => this.#boot())
  }

  goAway(): void {
    this.#ports.trace('goes away')
    this.#away = true
    this.#link?.drop()
  }

  comeBack(): void {
    if (!this.#away) return
    this.#away = false
    this.#connect()
    this.#take()
  }

  /** Deletes all data of the phone, including its token. */
  wipe(): void {
    const { mutant, trace } = this.#ports
    if (this.#ports.faults.calm) return
    trace('is wiped')
    this.#held.clear()
    this.#installation += 1
    if (!mutant.phoneForgetsAndStaysRegistered) this.#token = null
    this.#end()
  }

  hear(link: Link, order: PhoneOrder): void {
    if (link !== this.#link) return
    if (order.type === 'welcome' || order.type === 'wake') this.#take()
  }

  closed(link: Link): void {
    if (link !== this.#link) return
    this.#link = null
    this.#later(this.#random.between(100, 6000), () => this.#connect())
  }

  get #random() {
    return this.#ports.faults.random
  }

  #boot(): void {
    this.#down = false
    if (this.#token === null) return this.#register()
    this.#connect()
    this.#take()
    this.#takeAgainLater()
    for (const held of this.#held.values()) this.#work(held)
  }

  #register(): void {
    const installation = this.#installation
    this.#request<string>(
      done => this.#ports.gateway().renew(this.#ports.index, done),
      token => {
        if (installation !== this.#installation || this.#token !== null) return
        if (token === null) return this.#later(this.#random.between(1000, 20_000), () => this.#register())
        this.#token = token
        this.#boot()
      },
    )
  }

  #connect(): void {
    if (this.#away || this.#down || this.#token === null || this.#link !== null) return
    const link = this.#ports.connect()
    if (link === null) return this.#later(this.#random.between(500, 5000), () => this.#connect())
    this.#link = link
    link.up.send({ type: 'opened', appVersion: null, platform: null, sims: [] })
  }

  #takeAgainLater(): void {
    this.#later(TAKES_EVERY_MS, () => {
      this.#take()
      this.#takeAgainLater()
    })
  }

  /** Fetches messages. A newer request replaces one that has no answer yet. */
  #take(): void {
    const token = this.#token
    if (token === null || this.#down) return
    this.#taking += 1
    const taking = this.#taking
    const run = this.#run
    this.#request<readonly MessageToSend[] | 'wrong token'>(
      done => this.#ports.gateway().take(this.#ports.index, token, done),
      messages => {
        if (run !== this.#run || taking !== this.#taking) return
        if (messages === null) return this.#later(this.#random.between(2000, 20_000), () => this.#take())
        if (messages === 'wrong token') {
          this.#token = null
          return this.#register()
        }
        for (const message of messages) this.#keep(message)
      },
    )
  }

  #keep({ messageId, attempt, ttlMs }: MessageToSend): void {
    const key = `${messageId}/${attempt}`
    const known = this.#held.get(key)
    if (known !== undefined) return this.#report(known)
    const untilMs = this.#ports.schedule.now + ttlMs
    const held: Held = { messageId, attempt, untilMs, state: 'accepted', code: null }
    this.#held.set(key, held)
    if (this.#dies()) return
    if (this.#random.chance(0.5)) this.#report(held)
    this.#work(held)
  }

  #work(held: Held): void {
    if (held.state === 'accepted') this.#later(this.#random.between(10, 5000), () => this.#send(held))
    else if (held.state === 'submitted') this.#confirmLater(held)
    else if (held.state === 'sent') this.#deliverLater(held)
  }

  #send(held: Held): void {
    const { faults, schedule, transmitted, trace } = this.#ports
    if (held.state !== 'accepted') return
    if (schedule.now > held.untilMs) return this.#write(held, 'failed', 'TTL_EXPIRED')
    if (this.#dies()) return
    if (faults.chance(0.12))
      return this.#write(held, 'failed', faults.random.pick(['RADIO_OFF', 'NO_SERVICE']))
    const isGeneric = faults.chance(0.04)
    if (!isGeneric || faults.random.chance(0.5)) {
      trace(`transmits ${held.messageId.slice(-3)}/${held.attempt}`)
      transmitted(held.messageId, held.attempt)
    }
    if (isGeneric) return this.#write(held, 'failed', 'GENERIC_FAILURE')
    this.#write(held, 'submitted')
    this.#confirmLater(held)
  }

  #confirmLater(held: Held): void {
    this.#later(this.#random.between(10, 3000), () => {
      if (held.state !== 'submitted') return
      // Sometimes the network sends no delivery report.
      if (this.#ports.faults.chance(0.01)) return
      this.#write(held, 'sent')
      this.#deliverLater(held)
    })
  }

  #deliverLater(held: Held): void {
    const fate = this.#random.next()
    if (fate > 0.7) return
    this.#later(this.#random.between(100, 30_000), () => {
      if (held.state !== 'sent') return
      if (fate < 0.65) this.#write(held, 'delivered')
      else this.#write(held, 'failed', 'UNDELIVERED')
    })
  }

  #write(held: Held, state: JournalState, code: string | null = null): void {
    held.state = state
    held.code = code
    this.#ports.trace(`keeps ${held.messageId.slice(-3)}/${held.attempt} ${state} ${code ?? ''}`)
    this.#report(held)
    this.#dies()
  }

  /** Reports in a job that survives the program and sends the state at the time it runs. */
  #report(held: Held, tries = 0): void {
    const { schedule, index } = this.#ports
    const { messageId, attempt } = held
    const installation = this.#installation
    const waitMs = tries === 0 ? this.#random.between(0, 2000) : 10_000 * 2 ** (tries - 1)
    schedule.after(waitMs, () => {
      const token = this.#token
      if (installation !== this.#installation || token === null) return
      const { state, code } = held
      const news = { type: 'report', messageId, attempt, state, code } as const
      this.#request<true>(
        done => this.#ports.gateway().tell(index, { token, news }, done),
        answer => {
          if (answer === null && tries < REPORT_TRIES_MAX) this.#report(held, tries + 1)
        },
      )
    })
  }

  /** Sends a request; it and its answer may be late or lost. null: refused, or no answer in time. */
  #request<T>(ask: (done: (answer: T | null) => void) => void, answered: (answer: T | null) => void): void {
    const { schedule, faults } = this.#ports
    let isOver = false
    const end = (answer: T | null) => {
      if (isOver) return
      isOver = true
      answered(answer)
    }
    schedule.after(ANSWER_MS_MAX, () => end(null))
    if (this.#away || faults.chance(0.05)) return
    schedule.after(faults.frameDelayMs(), () =>
      ask(answer => {
        if (!faults.chance(0.05)) schedule.after(faults.frameDelayMs(), () => end(answer))
      }),
    )
  }

  #dies(): boolean {
    if (!this.#ports.faults.phoneCrashes()) return false
    this.#ports.trace('crashes')
    this.#end()
    return true
  }

  #end(): void {
    this.#down = true
    this.#run += 1
    this.#link?.phoneDied()
    this.#link = null
    this.#later(this.#random.between(500, 60_000), () => this.#boot())
  }

  #later(ms: number, act: () => void): void {
    const run = this.#run
    this.#ports.schedule.after(ms, () => {
      if (run === this.#run) act()
    })
  }
}
