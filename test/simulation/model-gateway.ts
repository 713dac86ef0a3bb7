/**
 * The gateway's process around the real domain and storage. It gathers input into a batch and sends the
 * effects of the batch after the commit. The process may die before, between and after these steps.
 */
import type { CommandAnswer, CommandCall, CommandInput, CommandName } from '#contracts/commands.ts'
import type { MessageToSend, PhoneNews, PhoneOrder } from '#contracts/phone-orders.ts'
import type { Effect } from '#domain/effect.ts'
import type { Source } from '#domain/source.ts'
import type { BatchResult } from '#storage/answer-call.ts'
import type { Batch } from '#storage/batch.ts'
import type { Bench, Mark } from '#test/simulation/bench.ts'
import type { Faults } from '#test/simulation/faults.ts'
import type { Link } from '#test/simulation/link.ts'
import type { Mutant } from '#test/simulation/mutant.ts'
import type { Schedule } from '#test/simulation/schedule.ts'

export interface GatewayPorts {
  readonly bench: Bench
  readonly schedule: Schedule
  readonly faults: Faults
  readonly source: Source
  readonly mutant: Mutant
  readonly links: Link[]
  readonly trace: (words: string) => void
  /** A `go` was sent to a phone. */
  readonly told: (messageId: string, attempt: number) => void
  /** Messages were sent to a phone that fetched them. */
  readonly handed: (messages: readonly MessageToSend[], phone: number) => void
  readonly checkMemory: (batch: Batch, now: { readonly wallMs: number; readonly monoMs: number }) => void
}

interface Waiting {
  readonly call: CommandCall
  /** null: the gateway died, and the caller does not know whether it had committed. */
  readonly answered: (answer: CommandAnswer | null) => void
}

const WALL_MS = 1_760_000_000_000

export class ModelGateway {
  /** The sum of all jumps of the wall clock. */
  skewMs = 0
  readonly #ports: GatewayPorts
  readonly #mark: Mark = { lastRun: null }
  #batch: Batch | null = null
  #bootedAt = 0
  #monoOffsetMs = 0
  #waiting: Waiting[] = []
  /** The messages that the last phone was handed; one mutant hands them out again. */
  #handedLast: readonly MessageToSend[] = []
  #scheduled = false
  #lastSocket = 0

  constructor(ports: GatewayPorts) {
    this.#ports = ports
    this.#boot()
  }

  get isUp(): boolean {
    return this.#batch !== null
  }

  /** When the gateway's next deadline is due. */
  get nextAt(): number {
    const at = this.#batch?.nextDeadline ?? null
    if (at === null) return Number.POSITIVE_INFINITY
    return Math.max(at - this.#monoOffsetMs + this.#bootedAt, this.#ports.schedule.now)
  }

  nextSocket(): number {
    this.#lastSocket += 1
    return this.#lastSocket
  }

  hear(link: Link, news: PhoneNews): void {
    const { faults, trace } = this.#ports
    if (faults.connectionDrops()) link.drop()
    trace(`< phone ${link.phone} #${link.socket} ${describe(news)}`)
    for (const { from, said } of this.#asHeard(link, news)) {
      const input = { deviceId: this.#deviceOf(link), connection: { listener: 1, socket: from }, news: said }
      this.ask('phone.news', input, answer => {
        if (answer?.ok === false) this.#close(link)
      })
    }
  }

  /** A phone fetches the messages that it should send; null: the gateway died, so the outcome is unknown. */
  take(
    phone: number,
    token: string,
    answered: (messages: readonly MessageToSend[] | 'wrong token' | null) => void,
  ): void {
    const { bench, mutant, handed } = this.#ports
    if (!bench.opens(token, phone)) return answered('wrong token')
    this.ask('phone.fetch', { deviceId: bench.deviceIds[phone] ?? '' }, answer => {
      if (!answer?.ok) return answered(null)
      const messages = answer.output as readonly MessageToSend[]
      const more = mutant.gatewayHandsToAnother ? this.#handedLast.filter(one => !messages.includes(one)) : []
      this.#handedLast = messages
      handed([...messages, ...more], phone)
      this.#ports.trace(`> phone ${phone} gets ${messages.map(one => one.messageId.slice(-3)).join(' ')}`)
      answered([...messages, ...more])
    })
  }

  /** A phone reports news with a request; null: refused, or the gateway died. */
  tell(
    phone: number,
    { token, news }: { readonly token: string; readonly news: PhoneNews },
    answered: (done: true | null) => void,
  ): void {
    const { bench, trace } = this.#ports
    if (!bench.opens(token, phone)) return answered(null)
    trace(`< phone ${phone} ${describe(news)}`)
    const input = { deviceId: bench.deviceIds[phone] ?? '', connection: null, news }
    this.ask('phone.news', input, answer => answered(answer?.ok ? true : null))
  }

  /** A phone registers again; null: refused, or the gateway died. */
  renew(phone: number, answered: (token: string | null) => void): void {
    const { bench, trace } = this.#ports
    trace(`< phone ${phone} registers again`)
    this.ask('phone.renew', { deviceId: bench.deviceIds[phone] ?? '' }, answer =>
      answered(answer?.ok ? (answer.output as { token: string }).token : null),
    )
  }

  closed(link: Link, silentMs: number): void {
    const connection = { listener: 1, socket: link.socket }
    this.#ports.trace(`< phone ${link.phone} #${link.socket} closed`)
    this.ask('phone.closed', { deviceId: this.#deviceOf(link), connection, silentMs }, () => {})
  }

  ask<N extends CommandName>(name: N, input: CommandInput<N>, answered: Waiting['answered']): void {
    if (!this.isUp) return answered(null)
    this.#waiting.push({ call: { id: this.#waiting.length, name, input }, answered })
    if (this.#scheduled) return
    this.#scheduled = true
    const { faults, schedule } = this.#ports
    const gatherMs = faults.chance(0.3) ? faults.random.between(0, 300) : 0
    const batch = this.#batch
    schedule.after(gatherMs, () => {
      if (this.#batch === batch) this.run()
    })
  }

  /** Runs the waiting commands and the due deadlines. */
  run(): void {
    if (this.#batch === null) return
    const { faults, bench, trace } = this.#ports
    const waiting = this.#waiting
    this.#waiting = []
    this.#scheduled = false
    const crashAt = faults.gatewayCrashes() ? faults.random.below(3) : -1
    if (crashAt === 0) return this.#die(waiting)
    if (faults.storageFails()) {
      bench.nextFault = faults.random.chance(0.5) ? bench.plantedFault : bench.diskFull
      trace(`storage fails: ${bench.nextFault.message}`)
    }
    const result = this.#carryOut(waiting)
    if (result === null) return this.#die(waiting)
    const { answers, effects } = result
    if (crashAt === 1) return this.#die(waiting)
    const left = crashAt === 2 ? effects.slice(0, faults.random.below(effects.length + 1)) : effects
    for (const effect of left) this.#leave(effect)
    if (crashAt === 2) return this.#die(waiting)
    for (const [index, { answered }] of waiting.entries()) answered(answers[index] ?? null)
    if (faults.random.chance(0.03)) this.checkMemory()
  }

  /** null: the planted fault hit a deadline rather than a command, so the process ends. */
  #carryOut(waiting: readonly Waiting[]): BatchResult | null {
    const { bench } = this.#ports
    try {
      return this.#batch?.run(waiting.map(({ call }) => call)) ?? null
    } catch (error) {
      if (bench.plantedFault !== error) throw error
      return null
    } finally {
      bench.nextFault = null
    }
  }

  checkMemory(): void {
    if (this.#batch !== null) this.#ports.checkMemory(this.#batch, this.#now())
  }

  /** Starts the process if it is down, because the faults are over. */
  recover(): void {
    if (!this.isUp) this.#boot()
  }

  /** Messages that no phone is sending and that live for longer than this. */
  leftInTime(ms: number): string[] {
    const open = [...(this.#batch?.fleet.messages.values() ?? [])]
    const { monoMs } = this.#now()
    const waiting = open.filter(
      ({ stage, expiresAtMono }) => stage !== 'sending' && expiresAtMono - monoMs > ms,
    )
    return waiting.map(({ id }) => id)
  }

  #leave(effect: Effect): void {
    const { links, trace, told, faults } = this.#ports
    if (effect.kind === 'log' && effect.level === 'error') return trace(`log ${effect.event}`)
    if (!('connection' in effect)) return
    const link = links.find(({ socket }) => socket === effect.connection.socket)
    if (!link?.openAtGateway) return
    const { order } = effect
    if (order.type === 'close') return this.#close(link)
    if (order.type === 'welcome' && link.journals > 0) return
    if (order.type === 'go') told(order.messageId, order.attempt)
    trace(`> phone ${link.phone} #${link.socket} ${describe(order)}`)
    // The most dangerous case: a `go` that arrives after its connection has ended.
    if (order.type === 'go' && link.openAtPhone && faults.chance(0.05)) link.linger(order)
    else link.down.send(order)
  }

  #close(link: Link): void {
    if (!link.openAtGateway) return
    link.closeAtGateway()
    link.down.send('end')
  }

  #deviceOf(link: Link): string {
    return this.#ports.bench.deviceIds[link.phone] ?? ''
  }

  /** The news unchanged, or as a mutant misreads it. */
  #asHeard(link: Link, news: PhoneNews): readonly { readonly from: number; readonly said: PhoneNews }[] {
    const { mutant, links } = this.#ports
    if (news.type === 'begin' && mutant.gatewayTakesOldBegin) {
      const newest = links.findLast(({ phone, openAtGateway }) => phone === link.phone && openAtGateway)
      return [{ from: newest?.socket ?? link.socket, said: news }]
    }
    if (news.type === 'opened' && mutant.gatewayTakesLateOpening) {
      const isLate = links.some(({ phone, socket }) => phone === link.phone && socket > link.socket)
      if (isLate) link.socket = this.nextSocket()
    }
    if (news.type === 'journal' && !news.more) {
      link.journals += 1
      if (link.journals > 1 && mutant.laterJournalIsProof) {
        link.socket = this.nextSocket()
        const opened = { type: 'opened', appVersion: null, platform: null, sims: [] } as const
        return [opened, news].map(said => ({ from: link.socket, said }))
      }
    }
    return [{ from: link.socket, said: news }]
  }

  #die(waiting: readonly Waiting[]): void {
    const { faults, schedule, links, trace } = this.#ports
    trace('gateway dies')
    this.#batch = null
    this.#waiting = []
    this.#scheduled = false
    for (const link of links) if (link.openAtGateway) link.gatewayDied()
    for (const { answered } of waiting) answered(null)
    schedule.after(faults.random.between(100, 30_000), () => this.recover())
  }

  #boot(): void {
    const { bench, source, faults, schedule, trace } = this.#ports
    trace('gateway starts')
    this.#bootedAt = schedule.now
    this.#monoOffsetMs = faults.random.below(1_000_000)
    this.#batch = bench.open(source, () => this.#now(), this.#mark)
  }

  #now() {
    const { now } = this.#ports.schedule
    const monoMs = now - this.#bootedAt + this.#monoOffsetMs
    return { wallMs: Math.floor(WALL_MS + now + this.skewMs), monoMs }
  }
}

function describe(word: PhoneNews | PhoneOrder): string {
  if (word.type === 'journal') {
    const entries = word.entries.map(m => `${m.messageId.slice(-3)}/${m.attempt} ${m.state}`)
    return `journal${word.more ? ' (more)' : ''} [${entries.join(', ')}]`
  }
  const about = word.type === 'offer' ? word.message : word
  if (!('messageId' in about)) return word.type
  const attempt = 'attempt' in about ? `/${about.attempt}` : ''
  return `${word.type} ${about.messageId.slice(-3)}${attempt} ${'state' in word ? word.state : ''}`
}
