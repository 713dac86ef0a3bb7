import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { CLOSE } from '#contracts/device-frames.ts'
import type { HostileGateway } from '#test/kit/hostile-gateway.ts'
import type { RawAnswer } from '#test/kit/raw-http.ts'
import { frameOf, framesOf, OPCODE, RawPhone, SIM_HELLO, upgradeRequest } from '#test/kit/raw-websocket.ts'
import { sharedHostile } from '#test/kit/shared-gateway.ts'
import { FRAMES_PER_SECOND_MAX } from '#transport/device/roost/frame-counter.ts'
import { FRAMES_REFUSED_MAX } from '#transport/device/roost/socket.ts'

const NOBODY = 'msg_01M7YNH9877GX8FBZ8AMT8W3XR'

describe('the device socket', () => {
  let it: HostileGateway
  beforeEach(async () => {
    it = await sharedHostile()
  })

  const pair = async () => {
    const { accountId } = it.owner
    const { code } = await it.gateway.ask('device.create-pairing', { accountId, name: 'phone' })
    return it.gateway.ask('device.pair', { code, name: null, platform: null, appVersion: null })
  }
  const ready = async () => {
    const device = await pair()
    return { ...device, phone: await RawPhone.ready(it.gateway.url, device.token) }
  }
  const upgrade = async (request: Buffer): Promise<RawAnswer> => {
    const connection = await it.open()
    connection.write(request)
    const answer = await connection.next()
    connection.close()
    assert.ok(answer)
    return answer
  }
  const sendTo = async (deviceId: string): Promise<string> => {
    const answer = await it.ask({
      method: 'POST',
      path: '/api/v1/sms/send',
      headers: [['X-API-Key', it.owner.liveKey]],
      body: JSON.stringify({ phoneNumber: '+15005550006', message: 'x', deviceId }),
    })
    assert.equal(answer.status, 200, answer.body)
    return String(answer.data['messageId'])
  }
  const statusOf = async (messageId: string) => {
    const path = `/api/v1/sms/${messageId}`
    return (await it.ask({ path, headers: [['X-API-Key', it.owner.liveKey]] })).data['status']
  }

  test('only a device token opens it', async () => {
    const { token } = await pair()
    for (const wrong of [null, '', `${token}x`, it.owner.token, it.owner.liveKey]) {
      const answer = await upgrade(upgradeRequest(wrong))
      assert.equal(answer.status, 401)
      assert.match(answer.head, /^HTTP\/1\.1 401 Unauthorized\r\n/)
      assert.match(answer.headers['x-request-id']?.join() ?? '', /^req-/)
      assert.match(answer.body, /UNAUTHORIZED/)
    }
    const twice = await upgrade(upgradeRequest(token, [['Authorization', 'Bearer x']]))
    assert.equal(twice.status, 400)
  })

  test('another subprotocol, or none, is refused', async () => {
    const { token } = await pair()
    const good = upgradeRequest(token).toString('latin1')
    for (const line of ['Sec-WebSocket-Protocol: roost.device.v2\r\n', '']) {
      const answer = await upgrade(Buffer.from(good.replace(/Sec-WebSocket-Protocol: .*\r\n/, line)))
      assert.equal(answer.status, 400, line)
      assert.match(answer.body, /Sec-WebSocket-Protocol/)
    }
  })

  const openings: readonly (readonly [string, Uint8Array, number | null])[] = [
    ['telemetry', frameOf({ payload: '{"type":"telemetry"}' }), CLOSE.protocolError],
    [
      'a hello of an unknown protocol version',
      frameOf({ payload: JSON.stringify({ ...SIM_HELLO, protocol: 2 }) }),
      CLOSE.protocolError,
    ],
    ['a hello without a boot', frameOf({ payload: '{"type":"hello","protocol":1}' }), CLOSE.protocolError],
    ['no JSON', frameOf({ payload: '{' }), CLOSE.protocolError],
    ['nothing', frameOf({ payload: '' }), CLOSE.protocolError],
    ['null', frameOf({ payload: 'null' }), CLOSE.protocolError],
    ['8,000 levels', frameOf({ payload: '['.repeat(8000) }), CLOSE.protocolError],
    ['binary', frameOf({ opcode: OPCODE.binary, payload: JSON.stringify(SIM_HELLO) }), CLOSE.protocolError],
    [
      'three invalid frames at once',
      Buffer.concat([1, 2, 3].map(() => frameOf({ payload: '{}' }))),
      CLOSE.protocolError,
    ],
    ['a frame above 16 KiB', frameOf({ payload: `"${'x'.repeat(16_383)}"` }), CLOSE.tooBig],
    ['a frame above 64 KiB', frameOf({ payload: `"${'x'.repeat(65_536)}"` }), null],
    ['bytes that are not UTF-8', frameOf({ payload: Buffer.from([0x22, 0xff, 0x22]) }), null],
    ['an unknown opcode', frameOf({ opcode: 5, payload: 'x' }), null],
    [
      'a frame length of 64 one bits',
      Buffer.from([0x81, 0xff, ...new Array<number>(8).fill(0xff), 0, 0, 0, 0]),
      null,
    ],
  ]
  for (const [what, bytes, code] of openings)
    test(`a phone that begins with ${what} is disconnected`, async () => {
      const { token } = await pair()
      const phone = await RawPhone.open(it.gateway.url, token)
      phone.write(bytes)
      const ending = await phone.ended()
      if (code !== null) assert.equal(ending.code, code)
      assert.deepEqual(phone.received, [])
    })

  test('a second hello on a connection is refused', async () => {
    const { phone } = await ready()
    phone.sendFrame(SIM_HELLO)
    assert.equal((await phone.ended()).code, CLOSE.protocolError)
  })

  test('an invalid frame gets an error, and the next frame is processed', async () => {
    const { phone } = await ready()
    const wrong = [
      '{',
      '[]',
      '"x"',
      '{"type":"nope"}',
      '{"type":"begin"}',
      '{"type":"begin","messageId":"","attempt":1}',
      `{"type":"begin","messageId":"${NOBODY}","attempt":0}`,
      `{"type":"begin","messageId":"${NOBODY}","attempt":1.5}`,
      `{"type":"report","messageId":"${NOBODY}","attempt":1,"state":"lost"}`,
      `{"type":"telemetry","battery":101}`,
      `{"type":"telemetry","battery":"full"}`,
      `{"type":"telemetry","signal":0}`,
      `{"type":"sync","messages":{}}`,
      `{"type":"received","id":"","from":"+1","message":"x"}`,
      `{"type":"received","id":"1","from":1,"message":"x"}`,
    ]
    for (const payload of wrong) {
      phone.write(frameOf({ payload }))
      assert.equal(typeof (await phone.next('error'))['message'], 'string', payload)
    }
    phone.sendFrame({ type: 'received', id: '1', from: '+15005550006', message: 'a\ud83d\0b' })
    assert.equal((await phone.next('ack'))['id'], '1')
    phone.close()
  })

  test('too many unknown frames end the connection', async () => {
    const { phone } = await ready()
    phone.write(framesOf(FRAMES_REFUSED_MAX + 1, { payload: '{"type":"nope"}' }))
    assert.equal((await phone.ended()).code, CLOSE.protocolError)
    assert.equal(phone.received.filter(({ type }) => type === 'error').length, FRAMES_REFUSED_MAX)
  })

  for (const type of ['telemetry', 'sync'])
    test(`too many ${type} frames end the connection`, async () => {
      const { phone } = await ready()
      phone.write(framesOf(20 * FRAMES_PER_SECOND_MAX + 1, { payload: `{"type":"${type}","messages":[]}` }))
      const { code, reason } = await phone.ended()
      assert.equal(code, CLOSE.flooding, reason)
      // A busy machine may read too few in a second. Then too many wait for the database.
      assert.match(reason, / a second$| wait for the database$/)
      assert.equal((await it.ask({ path: '/readyz' })).status, 200)
    })

  test('a message id of any format is answered like an unknown id', async () => {
    const { phone } = await ready()
    const odd = { messageId: 'mine-7', attempt: 1 }
    phone.sendFrame({ type: 'begin', ...odd })
    assert.deepEqual(await phone.next('no'), { type: 'no', ...odd })
    phone.sendFrame({ type: 'report', ...odd, state: 'sent' })
    assert.deepEqual(await phone.next('ack'), { type: 'ack', ...odd, state: 'sent' })
    phone.close()
    const again = await RawPhone.open(it.gateway.url, (await pair()).token)
    again.sendFrame(SIM_HELLO)
    again.sendFrame({ type: 'sync', messages: [{ ...odd, state: 'sent' }] })
    await again.next('synced')
    again.close()
  })

  test('a failure report is accepted with any reason', async () => {
    for (const beside of [
      { code: 'no reason given!' },
      { code: 5 },
      { detail: 'x'.repeat(2000) },
      { at: [] },
    ]) {
      const { deviceId, phone } = await ready()
      const messageId = await sendTo(deviceId)
      const { attempt } = await phone.next('offer')
      phone.sendFrame({ type: 'begin', messageId, attempt })
      await phone.next('go')
      phone.sendFrame({ type: 'report', messageId, attempt, state: 'failed', ...beside })
      await phone.next('ack')
      assert.equal(await statusOf(messageId), 'failed', JSON.stringify(beside))
      phone.close()
    }
  })

  test('a message that is unknown, not offered or of another phone gets no go', async () => {
    const mine = await ready()
    const other = await ready()
    const messageId = await sendTo(mine.deviceId)
    const offer = await mine.phone.next('offer')
    const lies = [
      { messageId: NOBODY, attempt: 1 },
      { messageId, attempt: offer['attempt'] },
      { messageId, attempt: 2 },
    ]
    for (const lie of lies) {
      other.phone.sendFrame({ type: 'begin', ...lie })
      assert.deepEqual(await other.phone.next('no'), { type: 'no', ...lie })
    }
    mine.phone.sendFrame({ type: 'begin', messageId, attempt: Number(offer['attempt']) + 1 })
    assert.equal((await mine.phone.next('no'))['messageId'], messageId)
    assert.equal(await statusOf(messageId), 'queued')
    mine.phone.close()
    other.phone.close()
  })

  test("reports about another phone's message, or about a message without a go, change nothing", async () => {
    const mine = await ready()
    const other = await ready()
    const messageId = await sendTo(mine.deviceId)
    const { attempt } = await mine.phone.next('offer')
    for (const state of ['submitted', 'sent', 'delivered', 'failed', 'uncertain', 'accepted']) {
      for (const { phone } of [mine, other]) {
        phone.sendFrame({ type: 'report', messageId, attempt, state })
        await phone.next('ack')
      }
      other.phone.sendFrame({ type: 'report', messageId: NOBODY, attempt: 1, state })
      await other.phone.next('ack')
    }
    assert.equal(await statusOf(messageId), 'queued')
    const liar = await RawPhone.open(it.gateway.url, (await pair()).token)
    liar.sendFrame(SIM_HELLO)
    liar.sendFrame({ type: 'sync', messages: [{ messageId, attempt, state: 'delivered' }] })
    await liar.next('synced')
    liar.close()
    assert.equal(await statusOf(messageId), 'queued')
    mine.phone.sendFrame({ type: 'begin', messageId, attempt })
    await mine.phone.next('go')
    mine.phone.sendFrame({ type: 'begin', messageId, attempt })
    assert.equal((await mine.phone.next('no'))['messageId'], messageId)
    other.phone.sendFrame({ type: 'report', messageId, attempt, state: 'delivered' })
    await other.phone.next('ack')
    assert.equal(await statusOf(messageId), 'sending')
    mine.phone.close()
    other.phone.close()
  })

  test('a superseded connection of a phone is closed and gets no more go', async () => {
    const { token, deviceId, phone: older } = await ready()
    const messageId = await sendTo(deviceId)
    const { attempt } = await older.next('offer')
    const newer = await RawPhone.open(it.gateway.url, token)
    newer.sendFrame(SIM_HELLO)
    older.sendFrame({ type: 'begin', messageId, attempt })
    await newer.next('welcome')
    assert.equal((await older.ended()).code, CLOSE.superseded)
    // The older connection may get the go before it is closed. Only the newer one decides the outcome.
    const told = older.received.filter(({ type }) => type === 'go').length
    newer.sendFrame({ type: 'sync', messages: told === 0 ? [] : [{ messageId, attempt, state: 'accepted' }] })
    await newer.next('synced')
    assert.equal((await newer.next('offer'))['messageId'], messageId)
    newer.close()
  })

  test('a removed phone is disconnected at once and cannot reconnect', async () => {
    const { token, deviceId, phone } = await ready()
    const headers = [['Authorization', `Bearer ${it.owner.token}`]] as const
    const answer = await it.ask({ method: 'DELETE', path: `/api/v1/devices/${deviceId}`, headers })
    assert.equal(answer.status, 200)
    assert.equal((await phone.ended()).code, CLOSE.removed)
    assert.equal((await upgrade(upgradeRequest(token))).status, 401)
  })

  test('a phone that closes is offline, and nothing is logged as a fault', async () => {
    const logged = it.gateway.log.length
    const { deviceId, phone } = await ready()
    phone.close()
    for (;;) {
      const path = `/api/v1/devices/${deviceId}`
      const { data } = await it.ask({ path, headers: [['X-API-Key', it.owner.liveKey]] })
      // An error on the way would leave the phone online forever.
      const faults = it.gateway.log.slice(logged).filter(({ level }) => level === 'error')
      assert.deepEqual(faults, [])
      if (data['status'] === 'offline') break
    }
  })

  test('a thousand control frames do not end the connection', async () => {
    const { phone } = await ready()
    phone.write(framesOf(1000, { opcode: OPCODE.ping, payload: 'x' }))
    phone.sendFrame({ type: 'received', id: 'p', from: '+1', message: 'x' })
    await phone.next('ack')
    phone.close()
  })
})
