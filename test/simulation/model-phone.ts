/**
 * A phone that asks before it sends, as `roost.device.v1` specifies. Only its journal and its sent folder
 * survive a crash of its program. The program may die at every step; only a transmission cannot be undone.
 */

import { GO_VALID_MS } from '#agent/session/offer-queue.ts'
import type { JournalState, PhoneOrder } from '#contracts/phone-orders.ts'
import type { Faults } from '#test/simulation/faults.ts'
import type { Link } from '#test/simulation/link.ts'
import type { Mutant } from '#test/simulation/mutant.ts'
import { Radio } from '#test/simulation/radio.ts'
import type { Schedule } from '#test/simulation/schedule.ts'

export interface Entry {
  readonly messageId: string
  readonly attempt: number
  state: JournalState
  code: string | null
  /** The gateway acknowledged this state. */
  acked: boolean
}

export interface PhonePorts {
  readonly schedule: Schedule
  readonly faults: Faults
  readonly mutant: Mutant
  /** Whether it sends its journal together with `opened`, without waiting for `welcome`. */
  readonly isEager: boolean
  /** Whether it never learns from its radio that a text was sent, so its texts stay `submitted`. */
  readonly losesSentReports: boolean
  /** Whether its program hangs for some minutes after a `go`, while its connection stays open. */
  readonly hangsAfterGo: boolean
  /** The country of its SIM. */
  readonly country: string
  /** Opens a connection; null: the gateway does not answer. */
  readonly connect: () => Link | null
  readonly transmitted: (messageId: string, attempt: number) => void
  readonly trace: (words: string) => void
}

const FINAL: ReadonlySet<JournalState> = new Set(['delivered', 'failed', 'uncertain'])

export class ModelPhone {
  readonly #ports: PhonePorts
  readonly #journal = new Map<string, Entry>()
  readonly #radio: Radio
  /** Increases with every crash of the program, so that events planned before the crash are dropped. */
  #life = 0
  #link: Link | null = null
  #synced = false
  #away = false
  #down = false
  #repeating = false
  #hangsUntil = 0
  readonly #begun = new Map<string, { readonly attempt: number; readonly at: number }>()

  constructor(ports: PhonePorts) {
    this.#ports = ports
    this.#radio = new Radio(ports, {
      dies: () => this.#dies(),
      later: (ms, act) => this.#later(ms, act),
      write: (entry, state, code) => this.#write(entry, state, code ?? null),
      holds: entry => this.#journal.get(entry.messageId) === entry,
    })
  }

  start(): void {
    this.#connectLater(0, 3000)
  }

  /** Disconnects the phone until `comeBack`. */
  goAway(): void {
    this.#ports.trace('goes away')
    this.#away = true
    this.#link?.drop()
  }

  /** Connects again, or reports what the phone has kept to itself. */
  comeBack(): void {
    if (!this.#away) return this.#reportAll()
    this.#away = false
    if (this.#link === null) this.#connectLater(0, 3000)
  }

  closed(link: Link): void {
    if (link !== this.#link) return
    this.#lose()
    this.#connectLater(10, this.#ports.faults.random.pick([200, 5000]))
  }

  hear(link: Link, order: PhoneOrder): void {
    const isOldGo = this.#ports.mutant.phoneTakesOldGo && order.type === 'go' && this.#link !== null
    if (link !== this.#link && !isOldGo) return
    switch (order.type) {
      case 'welcome':
        return this.#ports.isEager ? undefined : this.#sync(link)
      case 'synced':
        return this.#work(link)
      case 'offer':
        return this.#offer(order.message.messageId, order.message.attempt)
      case 'go':
        return this.#go(order.messageId, order.attempt)
      case 'no':
      case 'cancel':
        return this.#drop(order.messageId, order.type === 'no' ? order.attempt : null)
      case 'ack':
        return this.#ack(order.messageId, order.attempt, order.state)
      case 'ack-received':
      case 'wake':
      case 'close':
        return
    }
  }

  #sync(link: Link): void {
    const entries = this.#entries()
      .filter(entry => !entry.acked)
      .map(inJournal)
    const { faults } = this.#ports
    const middle = faults.chance(0.3) ? faults.random.below(entries.length + 1) : 0
    if (middle > 0) link.up.send({ type: 'journal', entries: entries.slice(0, middle), more: true })
    link.up.send({ type: 'journal', entries: entries.slice(middle), more: false })
    this.#later(20_000, () => this.#impatient(link))
  }

  #work(link: Link): void {
    this.#synced = true
    const { faults } = this.#ports
    this.#reportAll()
    if (faults.chance(0.05)) this.#beBusy(link, true)
    if (faults.chance(0.2)) this.#later(faults.random.between(0, 8000), () => this.#syncAgain(link))
  }

  /** Sends the journal again. This proves nothing, because a `go` may be in flight. */
  #syncAgain(link: Link): void {
    if (link !== this.#link) return
    link.up.send({ type: 'journal', entries: this.#entries().map(inJournal), more: false })
  }

  #beBusy(link: Link, busy: boolean): void {
    if (link !== this.#link) return
    link.up.send({ type: 'telemetry', battery: null, charging: null, signal: null, sims: null, busy })
    if (busy) this.#later(5000, () => this.#beBusy(link, false))
  }

  #offer(messageId: string, attempt: number): void {
    if (this.#dies()) return
    const known = this.#journal.get(messageId)
    if (known !== undefined && known.attempt > attempt) return
    if (known !== undefined && known.attempt === attempt && known.state !== 'accepted') return
    const entry: Entry = { messageId, attempt, state: 'accepted', code: null, acked: false }
    this.#journal.set(messageId, entry)
    if (this.#dies()) return
    const { faults, mutant } = this.#ports
    if (mutant.phoneSendsOnOffer) {
      this.#link?.up.send({ type: 'begin', messageId, attempt })
      return this.#radio.start(entry)
    }
    const thinkMs = faults.chance(0.05)
      ? faults.random.between(20_000, 60_000)
      : faults.random.between(0, 500)
    this.#later(thinkMs, () => this.#begin(entry))
  }

  #begin(entry: Entry): void {
    const { messageId, attempt, state } = entry
    if (this.#journal.get(messageId) !== entry || state !== 'accepted' || !this.#synced) return
    if (this.#dies()) return
    this.#begun.set(messageId, { attempt, at: this.#ports.schedule.now })
    this.#link?.up.send({ type: 'begin', messageId, attempt })
    if (this.#ports.faults.chance(0.05)) this.#link?.up.send({ type: 'begin', messageId, attempt })
  }

  #go(messageId: string, attempt: number): void {
    const entry = this.#journal.get(messageId)
    const begun = this.#begun.get(messageId)
    if (entry?.state !== 'accepted' || entry.attempt !== attempt || begun?.attempt !== attempt) return
    this.#begun.delete(messageId)
    const isLate = this.#ports.schedule.now - begun.at > GO_VALID_MS
    if (isLate) return void this.#write(entry, 'failed', 'GO_EXPIRED')
    if (this.#dies()) return
    const { faults, hangsAfterGo, schedule } = this.#ports
    if (hangsAfterGo && faults.chance(0.5))
      this.#hangsUntil = schedule.now + faults.random.between(30_000, 300_000)
    this.#radio.start(entry)
  }

  #drop(messageId: string, attempt: number | null): void {
    const entry = this.#journal.get(messageId)
    if (entry?.state !== 'accepted' || (attempt !== null && entry.attempt !== attempt)) return
    this.#journal.delete(messageId)
    this.#begun.delete(messageId)
  }

  #ack(messageId: string, attempt: number, state: JournalState): void {
    const entry = this.#journal.get(messageId)
    if (entry?.attempt !== attempt || entry.state !== state) return
    entry.acked = true
    if (FINAL.has(state)) this.#journal.delete(messageId)
  }

  #write(entry: Entry, state: JournalState, code: string | null): boolean {
    entry.state = state
    entry.code = code
    entry.acked = false
    this.#ports.trace(`journal ${entry.messageId.slice(-3)}/${entry.attempt} ${state} ${code ?? ''}`)
    if (state === 'submitting' || (state === 'submitted' && this.#ports.faults.random.chance(0.8)))
      return false
    if (this.#dies()) return true
    this.#report(entry)
    this.#repeatLater()
    return false
  }

  #report({ messageId, attempt, state, code }: Entry): void {
    if (!this.#synced || this.#ports.schedule.now < this.#hangsUntil) return
    const times = this.#ports.faults.chance(0.1) ? 2 : 1
    for (let i = 0; i < times; i++) this.#link?.up.send({ type: 'report', messageId, attempt, state, code })
  }

  #reportAll(): void {
    const open = this.#entries().filter(({ acked, state }) => !acked && state !== 'accepted')
    for (const entry of open.filter(({ state }) => state !== 'submitting')) this.#report(entry)
    if (open.length > 0) this.#repeatLater()
  }

  #repeatLater(): void {
    if (this.#repeating) return
    this.#repeating = true
    this.#later(15_000, () => {
      this.#repeating = false
      this.#reportAll()
    })
  }

  #connectLater(fromMs: number, toMs: number): void {
    this.#later(this.#ports.faults.random.between(fromMs, toMs), () => this.#connect())
  }

  #connect(): void {
    if (this.#away || this.#down || this.#link !== null) return
    const link = this.#ports.connect()
    if (link === null) return this.#connectLater(500, 5000)
    this.#link = link
    const sims = [{ slot: 1, carrier: null, countryCode: this.#ports.country, phoneNumber: null }]
    link.up.send({ type: 'opened', appVersion: null, platform: null, sims })
    if (this.#ports.isEager) this.#sync(link)
    this.#later(20_000, () => this.#impatient(link))
  }

  #impatient(link: Link): void {
    if (link !== this.#link || this.#synced) return
    this.#ports.trace('hangs up')
    this.#lose()
    link.hangUp()
    this.#connectLater(100, 5000)
  }

  #lose(): void {
    this.#link = null
    this.#synced = false
    if (!this.#ports.mutant.phoneTakesOldGo) this.#begun.clear()
  }

  #dies(): boolean {
    const { faults } = this.#ports
    if (!faults.phoneCrashes()) return false
    this.#ports.trace('crashes')
    this.#down = true
    this.#life += 1
    this.#link?.phoneDied()
    this.#lose()
    this.#begun.clear()
    this.#repeating = false
    this.#later(faults.random.between(500, 60_000), () => this.#boot())
    return true
  }

  #boot(): void {
    this.#down = false
    for (const entry of this.#entries()) this.#radio.recover(entry)
    this.#connect()
  }

  #entries(): Entry[] {
    return [...this.#journal.values()]
  }

  #later(ms: number, act: () => void): void {
    const life = this.#life
    this.#ports.schedule.after(ms, () => {
      if (life === this.#life) act()
    })
  }
}

function inJournal({ messageId, attempt, state, code }: Entry) {
  return { messageId, attempt, state, code }
}
