/**
 * The gateway's process around the real domain and storage: what reaches it is gathered into a batch, what
 * the batch says leaves after the commit, and the process may die before, between and after.
 */
import type { CommandAnswer, CommandCall, CommandInput, CommandName } from '#contracts/commands.ts'
import type { GatewayFrame, PhoneFrame } from '#contracts/device-frames.ts'
import type { Effect, Source } from '#domain/world.ts'
import type { Batch, BatchResult } from '#storage/batch.ts'
import type { Bench } from '#test/simulation/bench.ts'
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
  /** `go` left for a phone. */
  readonly told: (messageId: string, attempt: number) => void
  readonly checkMemory: (batch: Batch, now: { readonly wallMs: number; readonly monoMs: number }) => void
}

interface Waiting {
  readonly call: CommandCall
  /** null: the gateway died, and the caller does not know whether before or after. */
  readonly answered: (answer: CommandAnswer | null) => void
}

const WALL_MS = 1_760_000_000_000

export class ModelGateway {
  /** Added to the wall clock by jumps of it. */
  skewMs = 0
  readonly #ports: GatewayPorts
  #batch: Batch | null = null
  #bootedAt = 0
  #monoOffsetMs = 0
  #waiting: Waiting[] = []
  #scheduled = false
  #lastSocket = 0

  constructor(ports: GatewayPorts) {
    this.#ports = ports
    this.#boot()
  }

  get isUp(): boolean {
    return this.#batch !== null
  }

  /** When the gateway has something to do by itself. */
  get nextAt(): number {
    const at = this.#batch?.nextDeadline ?? null
    if (at === null) return Number.POSITIVE_INFINITY
    return Math.max(at - this.#monoOffsetMs + this.#bootedAt, this.#ports.schedule.now)
  }

  nextSocket(): number {
    this.#lastSocket += 1
    return this.#lastSocket
  }

  hear(link: Link, frame: PhoneFrame): void {
    const { faults, trace } = this.#ports
    if (faults.connectionDrops()) link.drop()
    trace(`< phone ${link.phone} #${link.socket} ${describe(frame)}`)
    for (const { from, said } of this.#asHeard(link, frame)) {
      const input = { deviceId: this.#deviceOf(link), connection: { listener: 1, socket: from }, frame: said }
      this.ask('phone.frame', input, answer => {
        if (answer?.ok === false) this.#close(link)
      })
    }
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

  /** Carries out what waits and what is due. */
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

  /** null: a fault that nobody asked for, of a deadline; the process ends over it. */
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

  /** The faults are over: a process that is down starts now. */
  recover(): void {
    if (!this.isUp) this.#boot()
  }

  /** Messages that no phone is sending, with more than this left to live. */
  leftInTime(ms: number): string[] {
    const open = [...(this.#batch?.fleet.messages.values() ?? [])]
    const { monoMs } = this.#now()
    const waiting = open.filter(
      ({ place, expiresAtMono }) => place !== 'sending' && expiresAtMono - monoMs > ms,
    )
    return waiting.map(({ id }) => id)
  }

  #leave(effect: Effect): void {
    const { links, trace, told, faults } = this.#ports
    if (effect.kind === 'alarm') return trace(`alarm ${effect.alarm}`)
    if (!('connection' in effect)) return
    const link = links.find(({ socket }) => socket === effect.connection.socket)
    if (!link?.openAtGateway) return
    if (effect.kind === 'close') return this.#close(link)
    const { frame } = effect
    if (frame.type === 'welcome' && link.syncs > 0) return
    if (frame.type === 'go') told(frame.messageId, frame.attempt)
    trace(`> phone ${link.phone} #${link.socket} ${describe(frame)}`)
    // The most dangerous moment of all: a `go` that outlives its connection.
    if (frame.type === 'go' && link.openAtPhone && faults.chance(0.05)) link.linger(frame)
    else link.down.send(frame)
  }

  #close(link: Link): void {
    if (!link.openAtGateway) return
    link.closeAtGateway()
    link.down.send('end')
  }

  #deviceOf(link: Link): string {
    return this.#ports.bench.deviceIds[link.phone] ?? ''
  }

  /** The frame as it is; a mutant hears it otherwise. */
  #asHeard(link: Link, frame: PhoneFrame): readonly { readonly from: number; readonly said: PhoneFrame }[] {
    const { mutant, links } = this.#ports
    if (frame.type === 'begin' && mutant.gatewayTakesOldBegin) {
      const newest = links.findLast(({ phone, openAtGateway }) => phone === link.phone && openAtGateway)
      return [{ from: newest?.socket ?? link.socket, said: frame }]
    }
    if (frame.type === 'hello' && mutant.gatewayTakesLateHello) {
      const isLate = links.some(({ phone, socket }) => phone === link.phone && socket > link.socket)
      if (isLate) link.socket = this.nextSocket()
    }
    if (frame.type === 'sync' && !frame.more) {
      link.syncs += 1
      if (link.syncs > 1 && mutant.laterSyncIsProof) {
        link.socket = this.nextSocket()
        const about = { bootId: '', appVersion: null, platform: null, sims: [] }
        const hello = { type: 'hello', protocol: 1, ...about } as const
        return [hello, frame].map(said => ({ from: link.socket, said }))
      }
    }
    return [{ from: link.socket, said: frame }]
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
    this.#batch = bench.open(source, () => this.#now())
  }

  #now() {
    const { now } = this.#ports.schedule
    const monoMs = now - this.#bootedAt + this.#monoOffsetMs
    return { wallMs: Math.floor(WALL_MS + now + this.skewMs), monoMs }
  }
}

function describe(frame: PhoneFrame | GatewayFrame): string {
  if (frame.type === 'sync') {
    const entries = frame.messages.map(m => `${m.messageId.slice(-3)}/${m.attempt} ${m.state}`)
    return `sync${frame.more ? ' (more)' : ''} [${entries.join(', ')}]`
  }
  if (!('messageId' in frame)) return frame.type
  const attempt = 'attempt' in frame ? `/${frame.attempt}` : ''
  return `${frame.type} ${frame.messageId.slice(-3)}${attempt} ${'state' in frame ? frame.state : ''}`
}
