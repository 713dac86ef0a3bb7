import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { fuzzHttp } from '#test/kit/fuzz-http.ts'
import { type OwnHostileGateway, startHostile } from '#test/kit/hostile-gateway.ts'
import { mutate } from '#test/kit/mutate.ts'
import { Random } from '#test/kit/random.ts'
import { frameOf, RawPhone, SIM_HELLO } from '#test/kit/raw-websocket.ts'

const SEED = Number(process.env['SEED'] ?? Date.now() % 1_000_000)
const REQUESTS = 200
const CONNECTIONS = 20
/** Too few to count as a flood. */
const FRAMES = 50

describe(`mutated requests and frames, with the seed ${SEED},`, () => {
  let it: OwnHostileGateway
  before(async () => {
    it = await startHostile()
  })
  after(() => it.gateway.stop())

  test('get an answer without a server error, or a closed connection', async () => {
    const seen = await fuzzHttp(it, { seed: SEED, count: REQUESTS, connections: 8 })
    for (const status of seen.keys())
      assert.ok(status < 500 || status === 503 || status === 505, `${status} with the seed ${SEED}`)
    assert.ok((seen.get(400) ?? 0) > 0, 'some requests were refused with 400')
    assert.equal((await it.ask({ path: '/readyz' })).status, 200)
    assert.deepEqual(
      it.gateway.log.filter(({ level }) => level === 'error'),
      [],
    )
  })

  test('cause no wrong go, and the gateway keeps running', async () => {
    const mine = await pair()
    const phone = await RawPhone.ready(it.gateway.url, mine.token)
    const sent = await it.ask({
      method: 'POST',
      path: '/api/v1/sms/send',
      headers: [['X-API-Key', it.owner.liveKey]],
      body: JSON.stringify({ phoneNumber: '+15005550006', message: 'x', deviceId: mine.deviceId }),
    })
    const { messageId, attempt } = await phone.next('offer')
    assert.equal(messageId, sent.data['messageId'])

    const random = new Random(SEED)
    const templates = framesAbout(String(messageId), Number(attempt)).map(frame => JSON.stringify(frame))
    const { token } = await pair()
    for (let i = 0; i < CONNECTIONS; i++) {
      const liar = await RawPhone.open(it.gateway.url, token)
      liar.sendFrame(SIM_HELLO)
      for (let j = 0; j < FRAMES; j++) {
        const template = Buffer.from(templates[random.below(templates.length)] ?? '')
        // Most are complete frames with wrong content; the others are not frames.
        const isFrame = random.chance(0.9)
        liar.write(
          isFrame
            ? frameOf({ payload: mutate(template, random) })
            : mutate(frameOf({ payload: template }), random),
        )
      }
      liar.end()
      await liar.ended()
      assert.equal(liar.received.filter(({ type }) => type === 'go').length, 0, `seed ${SEED}`)
    }

    phone.sendFrame({ type: 'begin', messageId, attempt })
    assert.equal((await phone.next('go'))['messageId'], messageId)
    assert.deepEqual(
      it.gateway.log.filter(({ level }) => level === 'error'),
      [],
    )
    phone.close()
  })

  const pair = async () => {
    const { accountId } = it.owner
    const { code } = await it.gateway.ask('device.create-pairing', { accountId, name: 'phone' })
    return it.gateway.ask('device.pair', { code, name: null, platform: null, appVersion: null })
  }
})

function framesAbout(messageId: string, attempt: number): readonly unknown[] {
  return [
    { type: 'begin', messageId, attempt },
    { type: 'report', messageId, attempt, state: 'delivered', code: null, at: '2026-01-01T00:00:00.000Z' },
    { type: 'sync', messages: [{ messageId, attempt, state: 'sent' }], more: true },
    { type: 'telemetry', battery: 50, charging: true, signal: -70, sims: SIM_HELLO.sims, busy: true },
    { type: 'received', id: 'r1', from: '+15005550006', message: 'hi', at: 1, simSlot: 1 },
    SIM_HELLO,
  ]
}
