/** Phones that text each other over a network that the test breaks, on the real domain and database. */
import type { GatewayFrame, HelloFrame } from '#contracts/device-frames.ts'
import type { DrillPlan, DrillResource } from '#contracts/drill.ts'
import { openWorld, type TestPhone } from '#test/kit/test-phone.ts'
import { TestWorld } from '#test/kit/world.ts'

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

export interface Handed {
  readonly from: RadioPhone
  readonly to: string
  readonly text: string
}

/** What the radio of a phone does with a text: `sent`, `eaten` (it says sent), or a code of a failure. */
export type Sends = 'sent' | 'eaten' | { readonly code: string }

export class RadioPhone {
  readonly phone: TestPhone
  readonly number: string
  sends: Sends = 'sent'
  /** False: its app takes texts and hands in none. */
  receives = true
  isOn = true
  readonly #network: Network

  constructor(network: Network, phone: TestPhone, number: string) {
    this.#network = network
    this.phone = phone
    this.number = number
  }

  get id(): string {
    return this.phone.deviceId
  }

  connect(about: Partial<HelloFrame> = {}): void {
    this.isOn = true
    const phoneNumber = this.#network.knowsNumbers ? this.number : null
    const sims = [{ slot: 1, carrier: null, countryCode: null, phoneNumber }]
    // Not `connect`, which drops what the gateway orders at once.
    this.phone.hello(undefined, { receives: true, sims, ...about })
    this.phone.sync()
    this.#network.work()
  }

  disconnect(): void {
    this.isOn = false
    this.phone.close(0)
  }

  hear(text: string, from = '+14155550999'): void {
    const id = String(++this.#network.texts)
    this.phone.sendFrame({ type: 'received', id, from, message: text, at: null, simSlot: 1 } as never)
  }
}

export class Network {
  readonly world: TestWorld
  readonly accountId: string
  readonly phones: RadioPhone[] = []
  /** How long the network holds a text. */
  delayMs = 4_000
  /** All texts that left, in order. */
  readonly left: Handed[] = []
  texts = 0
  readonly #held: { readonly at: number; readonly handed: Handed }[] = []
  /** Whether the SIMs know their numbers. */
  readonly knowsNumbers: boolean
  readonly open: ReturnType<typeof openWorld>

  constructor(count: number, { world = new TestWorld(), knowsNumbers = true } = {}) {
    this.knowsNumbers = knowsNumbers
    this.open = openWorld(count, world)
    this.world = world
    this.accountId = this.open.accountId
    this.open.phones.forEach((phone, place) => {
      this.phones.push(new RadioPhone(this, phone, `+1415555010${place}`))
    })
    for (const phone of this.phones) phone.connect()
  }

  get a(): RadioPhone {
    return this.phones[0] as RadioPhone
  }
  get b(): RadioPhone {
    return this.phones[1] as RadioPhone
  }
  get c(): RadioPhone {
    return this.phones[2] as RadioPhone
  }

  start(phone = this.a): DrillResource {
    const drill = this.world.ask('drill.start', { accountId: this.accountId, deviceId: phone.id })
    this.work()
    return drill
  }

  plan(phone: RadioPhone, drill: Partial<DrillPlan> | null): void {
    const whole = drill && { every: 'day' as const, at: '10:00', to: null, simSlot: null, ...drill }
    this.update(phone, { drill: whole })
  }

  update(phone: RadioPhone, change: object): void {
    this.world.ask('device.update', { accountId: this.accountId, deviceId: phone.id, change })
    this.work()
  }

  remove({ id }: RadioPhone): void {
    this.world.ask('device.remove', { accountId: this.accountId, deviceId: id })
    this.work()
  }

  drills(phone = this.a): readonly DrillResource[] {
    return this.world.ask('drill.list', { accountId: this.accountId, deviceId: phone.id })
  }

  last(phone = this.a): DrillResource | undefined {
    return this.drills(phone)[0]
  }

  device(phone = this.a) {
    return this.world.ask('device.find', { accountId: this.accountId, deviceId: phone.id })
  }

  broken() {
    return this.world
      .ask('health.list', { accountId: this.accountId })
      .filter(({ code }) => code === 'CHAIN_BROKEN')
  }

  /** The gateway is off for this time; phones connect again. */
  restart(offMs = 0): void {
    const on = this.phones.filter(({ isOn }) => isOn)
    for (const phone of on) phone.isOn = false
    this.world.monoMs += offMs
    this.world.wallMs += offMs
    this.world.restart()
    for (const phone of on) phone.connect()
  }

  /** Another gateway leads, with the rows alone: its wall clock is ahead by this, and it ran before. */
  takeLead(aheadMs: number): void {
    this.world.wallMs += aheadMs
    this.world.lastRun = null
    this.restart()
  }

  /** Time passes at once, as while the machine sleeps. */
  skip(ms: number): void {
    this.world.monoMs += ms
    this.world.wallMs += ms
    this.pass(1)
  }

  /** Lets time pass, and the phones do what they are asked. Frames are looked at every so often. */
  pass(ms: number, stepMs = 5_000): void {
    const until = this.world.monoMs + ms
    while (this.world.monoMs < until) {
      const next = this.world.batch.nextDeadline ?? until
      const held = this.#held.reduce((least, { at }) => Math.min(least, at), until)
      const busy = Math.max(Math.min(next, held), this.world.monoMs + 1)
      this.world.advance(
        Math.min(Math.max(busy - this.world.monoMs, Math.min(stepMs, 50)), until - this.world.monoMs),
      )
      this.work()
    }
  }

  /** Phones answer their orders, and texts arrive. */
  work(): void {
    for (let again = true; again; ) {
      again = false
      for (const phone of this.phones) {
        if (!phone.isOn) continue
        for (const frame of this.#framesOf(phone)) {
          again = true
          this.#answer(phone, frame)
        }
      }
    }
    for (const held of [...this.#held]) {
      if (held.at > this.world.monoMs) continue
      this.#held.splice(this.#held.indexOf(held), 1)
      const target = this.phones.find(({ number }) => number === held.handed.to)
      if (target?.receives && target.isOn) target.hear(held.handed.text, held.handed.from.number)
      else if (target?.receives) this.#held.push({ ...held, at: this.world.monoMs + MINUTE })
    }
  }

  #framesOf(phone: RadioPhone): GatewayFrame[] {
    const { socket } = phone.phone.connection
    return this.world.framesTo(socket).flatMap(output => (output.kind === 'frame' ? [output.frame] : []))
  }

  readonly #offers = new Map<string, { readonly to: string; readonly text: string }>()

  #answer({ phone, sends, ...radio }: RadioPhone, frame: GatewayFrame): void {
    const from = this.phones.find(one => one.phone === phone) as RadioPhone
    void radio
    if (frame.type === 'offer') {
      this.#offers.set(frame.messageId, { to: frame.phoneNumber, text: frame.message })
      phone.begin(frame.messageId, frame.attempt)
    } else if (frame.type === 'go') {
      const { messageId, attempt } = frame
      if (typeof sends === 'object') return phone.report(messageId, 'failed', { attempt, code: sends.code })
      phone.report(messageId, 'submitted', { attempt })
      const offered = this.#offers.get(messageId)
      if (sends === 'sent' && offered !== undefined) {
        const handed = { from, ...offered }
        this.left.push(handed)
        this.#held.push({ at: this.world.monoMs + this.delayMs, handed })
      }
      phone.report(messageId, 'sent', { attempt })
    }
  }
}

export const said = (net: Network) => net.broken().map(({ severity, message }) => `${severity}: ${message}`)
/** A network of phones whose plan runs at 12:30; the clock says 12:00. */
export function planned(count: number) {
  const net = new Network(count)
  for (const phone of net.phones) {
    net.world.ask('device.update', {
      accountId: net.accountId,
      deviceId: phone.id,
      change: { name: ['Attic', 'Barn', 'Cellar'][net.phones.indexOf(phone)] ?? 'X' },
    })
    net.plan(phone, { at: '12:30' })
  }
  return net
}
export const outcomes = (net: Network, phone = net.a) =>
  net.drills(phone).map(({ by, outcome }) => `${by} ${outcome}`)
