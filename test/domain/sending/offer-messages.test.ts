/**
 * The gateway finds phones for waiting messages without checking every phone. This test runs the same steps
 * on two gateways, one of which also checks all others. Both must give the same orders to the same phones.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Sim } from '#contracts/phone-orders.ts'
import { Problem } from '#domain/problem.ts'
import { Random } from '#test/kit/random.ts'
import { seededSource } from '#test/kit/seeded-source.ts'
import { openWorld } from '#test/kit/test-phone.ts'
import { sized } from '#test/kit/test-size.ts'
import { TestWorld } from '#test/kit/world.ts'

const PHONES = 6
/** The last phone fetches messages instead of asking before it sends. */
const TAKING = PHONES - 1
const ACTIONS = [
  ...['send', 'send', 'send', 'name', 'connect', 'connect', 'close', 'begin', 'begin', 'report', 'report'],
  ...['fail', 'cancel', 'pause', 'resume', 'pace', 'busy', 'free', 'sim', 'take', 'renew', 'wait'],
] as const

const step = fc.record({
  phone: fc.nat(PHONES - 1),
  action: fc.constantFrom(...ACTIONS),
  country: fc.constantFrom('US', 'DE', 'CA'),
  segments: fc.constantFrom(1, 1, 3, 10),
  which: fc.nat(20),
  ms: fc.constantFrom(0, 0, 1, 3_000, 45_000, 700_000),
})
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

function simsOf(countryCode: string): Sim[] {
  return [{ slot: 1, carrier: null, countryCode, phoneNumber: null }]
}

/** A gateway with its phones, all made from the same seed. */
class Life {
  readonly #gateway = openWorld(TAKING, new TestWorld(':memory:', seededSource(new Random(7))))
  readonly #devices: readonly string[]
  readonly #sockets = Array.from({ length: PHONES }, () => 0)
  readonly #sent: string[] = []
  /** The messages that phones know, with phone and attempt. */
  readonly #known: { readonly phone: number; readonly messageId: string; readonly attempt: number }[] = []
  #lastSocket = 0

  constructor({ walksAll }: { readonly walksAll: boolean }) {
    const { world, accountId, phones } = this.#gateway
    const { code } = world.ask('device.create-pairing', { accountId, name: null })
    const about = { code, name: null, platform: null, appVersion: null, protocol: 'smsgate-cloud' } as const
    this.#devices = [...phones, world.ask('device.pair', about)].map(({ deviceId }) => deviceId)
    const { fleet } = world.batch
    const findSome = fleet.phonesToOffer.bind(fleet)
    if (walksAll)
      fleet.phonesToOffer = (_, monoMs) =>
        new Set([...findSome(accountId, monoMs), ...fleet.phonesOf(accountId)])
    world.effects.length = 0
  }

  /** Runs the step. @returns the gateway's orders and its refusal, if any */
  take(one: Step): readonly unknown[] {
    const { world } = this.#gateway
    const said: unknown[] = []
    try {
      this.#act(one)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      said.push(error.code)
    }
    if (one.ms > 0) world.advance(one.ms)
    assert.deepEqual(world.faults, [])
    for (const effect of world.effects) {
      if (effect.kind !== 'order' || effect.order.type !== 'offer') continue
      const { messageId, attempt } = effect.order.message
      this.#known.push({ phone: this.#sockets.indexOf(effect.connection.socket), messageId, attempt })
    }
    return [...said, ...world.effects.splice(0)]
  }

  #act({ action, phone, country, segments, which, ms }: Step): void {
    const { world, send, cancel } = this.#gateway
    const deviceId = this.#devices[phone] ?? ''
    const paused = action === 'pause'
    if (action === 'send')
      this.#sent.push(send({ country, segments, priority: which > 15 ? 'high' : 'normal' }))
    else if (action === 'name') this.#sent.push(send({ country, segments, deviceId }))
    else if (action === 'connect') this.#connect(phone, country)
    else if (action === 'close')
      world.ask('phone.closed', { deviceId, connection: this.#connection(phone), silentMs: 0 })
    else if (action === 'cancel') {
      const messageId = this.#sent[which % Math.max(1, this.#sent.length)]
      if (messageId !== undefined) cancel(messageId)
    } else if (action === 'pause' || action === 'resume') this.#update(deviceId, { paused })
    else if (action === 'pace') this.#update(deviceId, { segmentsPerMinute: 1 + which * 3 })
    else if (action === 'renew') world.ask('phone.renew', { deviceId: this.#devices[TAKING] ?? '' })
    else if (action === 'take')
      for (const { messageId, attempt } of world.ask('phone.fetch', {
        deviceId: this.#devices[TAKING] ?? '',
      }))
        this.#known.push({ phone: TAKING, messageId, attempt })
    else if (action === 'busy' || action === 'free') this.#tell(phone, { busy: action === 'busy' })
    else if (action === 'sim') this.#tell(phone, { sims: simsOf(country) })
    else if (action !== 'wait') this.#speak(action, { phone, which, ms })
  }

  #connection(phone: number) {
    return { listener: 1, socket: this.#sockets[phone] ?? 0 }
  }

  #connect(phone: number, countryCode: string): void {
    const { world } = this.#gateway
    this.#sockets[phone] = ++this.#lastSocket
    const at = { deviceId: this.#devices[phone] ?? '', connection: this.#connection(phone) }
    const sims = simsOf(countryCode)
    world.ask('phone.news', { ...at, news: { type: 'opened', appVersion: '1', platform: 'test', sims } })
    if (phone !== TAKING)
      world.ask('phone.news', { ...at, news: { type: 'journal', entries: [], more: false } })
  }

  #update(deviceId: string, change: { paused?: boolean; segmentsPerMinute?: number }): void {
    const { world, accountId } = this.#gateway
    world.ask('device.update', { accountId, deviceId, change })
  }

  #tell(phone: number, change: { readonly busy?: boolean; readonly sims?: Sim[] }): void {
    const at = { deviceId: this.#devices[phone] ?? '', connection: this.#connection(phone) }
    const unknown = { battery: null, charging: null, signal: null, sims: null, busy: null }
    this.#gateway.world.ask('phone.news', { ...at, news: { type: 'telemetry', ...unknown, ...change } })
  }

  /** Lets a phone send news about a message that it knows. */
  #speak(action: 'begin' | 'report' | 'fail', { phone, which }: Pick<Step, 'phone' | 'which' | 'ms'>): void {
    const known = this.#known.filter(one => one.phone === phone).toReversed()
    const about = known[which % 4]
    if (about === undefined) return
    const { messageId, attempt } = about
    const at = { deviceId: this.#devices[phone] ?? '', connection: this.#connection(phone) }
    const failed = { state: 'failed', code: 'NO_SERVICE' } as const
    const report = action === 'fail' ? failed : ({ state: 'sent', code: null } as const)
    const news =
      action === 'begin'
        ? ({ type: 'begin', messageId, attempt } as const)
        : ({ type: 'report', messageId, attempt, detail: null, at: null, ...report } as const)
    this.#gateway.world.ask('phone.news', { ...at, news })
  }
}

test('in any sequence, phones get the same orders as if all phones were checked', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 20, maxLength: 100 }), steps => {
      const [all, some] = [new Life({ walksAll: true }), new Life({ walksAll: false })]
      for (const one of steps) assert.deepEqual(some.take(one), all.take(one), JSON.stringify(one))
    }),
    { numRuns: sized(10, 25) },
  )
})

test('a waiting message checks none of a thousand phones that cannot accept it', () => {
  const { world, phones, send } = openWorld(1_000)
  let looks = 0
  for (const phone of world.batch.fleet.phones.values())
    Object.defineProperty(phone, 'session', {
      get: () => {
        looks += 1
        return null
      },
    })
  send()
  assert.equal(phones.length, 1_000)
  looks = 0
  for (let i = 0; i < 10; i += 1) send()
  assert.equal(looks, 0)
})
