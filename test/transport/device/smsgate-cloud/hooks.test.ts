/** Webhooks of the app other than received texts, long bodies, many streams, and a second attempt. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type CloudApp, signatureOf } from '#test/kit/cloud-app.ts'
import { cloudRig } from '#test/kit/cloud-rig.ts'
import { startGateway, type TestAccount, type TestGateway } from '#test/kit/gateway.ts'
import { RawConnection, rawRequest } from '#test/kit/raw-http.ts'

const MIB = 1024 * 1024
/** The value of `STREAMS_PER_PHONE_MAX`, which counts per listener. */
const STREAMS = 8

describe('a phone in the cloud mode of SMSGate', () => {
  let gateway: TestGateway
  const { register, send, find, deviceOf } = cloudRig(() => gateway)

  before(async () => {
    gateway = await startGateway({ config: { http: { listeners: 1 } } })
  })
  after(() => gateway.stop())

  /** Registers a phone of a new account. @returns it with its signing key */
  const phoneOf = async (name: string) => {
    const account = await gateway.account(`${name}@example.com`)
    const app = await register({ account })
    const key = (await app.settings()).webhooks.signing_key
    let events = 0
    const tell = (event: string, payload: object) =>
      app.postEvent(key, event, { id: `event-${++events}`, payload })
    return { account, app, key, tell }
  }
  const received = async ({ liveKey: key }: TestAccount) =>
    (await gateway.call('GET', '/api/v1/received', { key })).json?.data.map(one => one['message'])
  const taken = async (app: CloudApp) => (await app.pull()).map(one => one['id'])

  test('a failure by webhook counts as one by report, and its code is kept', async () => {
    const { account, app, tell } = await phoneOf('failed')
    const id = await send(account)
    assert.deepEqual(await taken(app), [id])
    const reason = 'Send result: RESULT_ERROR_NULL_PDU (No PDU provided)'
    const failed = { messageId: id, failedAt: '2026-07-30T10:30:02.000+02:00', reason }
    assert.equal((await tell('sms:failed', failed)).status, 200)
    const { status, failure } = (await find(account, id)) ?? {}
    assert.equal(status, 'failed')
    assert.equal(Object(failure).code, 'RESULT_ERROR_NULL_PDU')
    assert.ok(String(Object(failure).message).endsWith(reason))
    await tell('sms:delivered', { messageId: id })
    assert.equal((await find(account, id))?.['status'], 'failed', 'a final status stays final')
    for (const odd of [{ messageId: 'of another program' }, {}, { messageId: 7 }])
      assert.equal((await tell('sms:failed', odd)).status, 200)
  })

  test('a text that its owner cancels in the app fails with CANCELLED_ON_PHONE', async () => {
    const { account, app, tell } = await phoneOf('cancelled')
    const id = await send(account)
    assert.deepEqual(await taken(app), [id])
    const cancelled = { messageId: id, cancelledAt: '2026-07-30T10:31:00.000+02:00' }
    assert.equal((await tell('sms:cancelled', cancelled)).status, 200)
    const { status, failure } = (await find(account, id)) ?? {}
    assert.deepEqual([status, Object(failure).code], ['failed', 'CANCELLED_ON_PHONE'])
  })

  test('a second attempt has an id of its own, and reports about the first no longer count', async () => {
    const { account, app } = await phoneOf('second')
    const stream = await app.listen()
    const id = await send(account)
    await stream.until('MessageEnqueued\ndata: {}\n\n')
    assert.deepEqual(await taken(app), [id])
    await app.report(id, 'Failed', { error: 'Send result: RESULT_ERROR_NO_SERVICE (no service)' })
    assert.deepEqual(await taken(app), [], 'not before the retry delay is over')
    await stream.until('MessageEnqueued\ndata: {}\n\n')
    assert.deepEqual(await taken(app), [`${id}.2`])
    await app.report(id, 'Sent')
    assert.equal((await find(account, id))?.['status'], 'sending')
    assert.deepEqual(await taken(app), [`${id}.2`], 'the second attempt stays listed until it is reported')
    await app.report(`${id}.2`, 'Sent')
    await app.report(`${id}.2`, 'Delivered')
    assert.equal((await find(account, id))?.['status'], 'delivered')
    stream.close()
  })

  test('an MMS becomes a text with its words and the number of its attachments', async () => {
    const { account, tell } = await phoneOf('mms')
    const from = { sender: '+15550100777', receivedAt: '2026-07-30T10:26:41.000+02:00' }
    const attachments = [{ partId: 1, contentType: 'image/jpeg', name: 'cat.jpg', size: 3, data: 'AAAA' }]
    await tell('mms:downloaded', { ...from, messageId: 'm1', subject: 'Cat', body: 'Look!', attachments })
    await tell('mms:downloaded', { ...from, messageId: 'm2', attachments: [] })
    assert.deepEqual((await received(account))?.toReversed(), [
      'Cat\nLook!\n(MMS with 1 attachment(s), not kept)',
      '(empty MMS)',
    ])
  })

  test('a webhook of 5 MB is accepted from the phone, and not read from an unknown sender', async () => {
    const { account, app, key, tell } = await phoneOf('long')
    const data = 'A'.repeat(5 * MIB)
    const attachments = [{ partId: 1, contentType: 'video/mp4', data }]
    const from = { sender: '+15550100777', messageId: 'm1', receivedAt: '2026-07-30T10:26:41.000+02:00' }
    assert.equal((await tell('mms:downloaded', { ...from, body: 'A film', attachments })).status, 200)
    assert.deepEqual(await received(account), ['A film\n(MMS with 1 attachment(s), not kept)'])
    const [hook] = await app.webhooks()
    const stranger = await app.post(`${hook?.url}x`, data, signatureOf(key, data))
    assert.equal(stranger.status, 413)
  })

  /** Opens a webhook: sends its head alone. @returns its status, once it has one */
  const openHook = async (app: CloudApp, headers: readonly (readonly [string, string])[]) => {
    const [hook] = await app.webhooks()
    const connection = await RawConnection.open(gateway.url)
    const now = ['X-Timestamp', String(Math.floor(Date.now() / 1000))] as const
    const path = new URL(hook?.url ?? '').pathname
    const given = headers.some(([name]) => name === 'X-Timestamp') ? headers : [...headers, now]
    connection.write(rawRequest({ method: 'POST', path, headers: given }))
    return { connection, status: async () => (await connection.next())?.status }
  }
  const long = ['Content-Length', String(5 * MIB)] as const

  test('the webhook of a removed phone is refused before its body is read', async () => {
    const { account, app, tell } = await phoneOf('removed')
    const opened = () => openHook(app, [['Content-Length', '1000']])
    const waiting = await opened()
    const { pathname } = new URL((await app.webhooks())[0]?.url ?? '')
    assert.equal((await tell('system:ping', {})).status, 200)
    const removed = { token: account.token }
    assert.equal((await gateway.call('DELETE', `/api/v1/devices/${app.deviceId}`, removed)).status, 200)
    const connection = await RawConnection.open(gateway.url)
    connection.write(rawRequest({ method: 'POST', path: pathname, headers: [['Content-Length', '1000']] }))
    assert.equal((await connection.next())?.status, 404)
    for (const one of [connection, waiting.connection]) one.close()
  })

  test('a webhook that is older or newer than a day is refused before its body is read', async () => {
    const { app } = await phoneOf('old')
    const nowS = Math.floor(Date.now() / 1000)
    for (const timestamp of [nowS - 86_500, nowS + 86_500, 'yesterday', '']) {
      const hook = await openHook(app, [long, ['X-Timestamp', String(timestamp)]])
      assert.equal(await hook.status(), 413, 'a long body is refused first')
      const short = await openHook(app, [
        ['Content-Length', '1000'],
        ['X-Timestamp', String(timestamp)],
      ])
      assert.equal(await short.status(), 401)
      for (const { connection } of [hook, short]) connection.close()
    }
  })

  test('a phone has 120 webhooks a minute, and other phones have their own', async () => {
    const [busy, other] = [await phoneOf('busy'), await phoneOf('calm')]
    const told = Array.from({ length: 240 }, () => busy.tell('system:ping', {}))
    const statuses = (await Promise.all(told)).map(({ status }) => status)
    assert.ok(statuses.filter(status => status === 200).length >= 120)
    assert.ok(statuses.includes(429))
    assert.equal((await other.tell('system:ping', {})).status, 200)
  })

  test('a phone may send one large webhook at a time', async () => {
    const { app, tell } = await phoneOf('two')
    const first = await openHook(app, [long])
    first.connection.write('{')
    const second = await openHook(app, [long])
    assert.equal(await second.status(), 503)
    assert.equal((await tell('system:ping', {})).status, 200, 'small ones pass')
    first.connection.close()
    second.connection.close()
  })

  test('a large webhook that is refused or breaks off does not block the next one', async () => {
    const { app } = await phoneOf('again')
    const tooLong = await openHook(app, [['Content-Length', String(9 * MIB)]])
    assert.equal(await tooLong.status(), 413)
    const broken = await openHook(app, [long])
    broken.connection.write('{')
    broken.connection.close()
    await gateway.call('GET', '/healthz')
    const next = await openHook(app, [long])
    next.connection.write('x'.repeat(5 * MIB))
    assert.equal(await next.status(), 401, 'it was read, and is not signed')
    for (const { connection } of [tooLong, next]) connection.close()
  })

  test('a webhook with too many values is refused in both sizes; unused parts are not checked', async () => {
    const { app, key, tell } = await phoneOf('wide')
    const post = async (text: string) => {
      const [hook] = await app.webhooks()
      return (await app.post(hook?.url ?? '', text, signatureOf(key, text))).status
    }
    const wide = (entries: number) =>
      `{"id":"1","event":"system:ping","payload":{"attachments":[${'{},'.repeat(entries)}{}]}}`
    assert.equal(await post(wide(10_000)), 400)
    assert.equal(await post(wide(900_000)), 400)
    const checks = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`a${at}`, 'odd']))
    const battery = { 'battery:level': { observedValue: 50 } }
    assert.equal((await tell('system:ping', { health: { checks: { ...checks, ...battery } } })).status, 200)
  })

  test('when it starts, the app reports its SIMs with their numbers', async () => {
    const { account, app, tell } = await phoneOf('started')
    const masked = [{ slotIndex: 0, simNumber: 1, phoneNumber: '********0001', carrierName: '****bile' }]
    await app.call('PATCH', '/device', { json: { id: app.deviceId, simCards: masked } })
    const simOf = async () => (await deviceOf(account, app))?.['sims']
    assert.deepEqual(await simOf(), [{ slot: 1, carrier: null, countryCode: null, phoneNumber: null }])
    const simCards = [{ slotIndex: 0, simNumber: 1, phoneNumber: '+15550100001', carrierName: 'T-Mobile' }]
    assert.equal((await tell('app:started', { simCards })).status, 200)
    assert.deepEqual(await simOf(), [
      { slot: 1, carrier: 'T-Mobile', countryCode: null, phoneNumber: '+15550100001' },
    ])
  })

  test('a webhook that arrives shows that received texts arrive, too', async () => {
    for (const [event, payload] of [
      ['system:ping', { health: { checks: { 'battery:level': { observedValue: 50 } } } }],
      ['app:started', { simCards: [] }],
    ] as const) {
      const { account, app, tell } = await phoneOf(`hands-in-${event.slice(0, 3)}`)
      const receives = async () => (await deviceOf(account, app))?.['receives']
      assert.equal(await receives(), false)
      assert.equal((await tell(event, payload)).status, 200)
      assert.equal(await receives(), true)
    }
  })

  test('one stream too many is refused, and the open ones stay open', async () => {
    const { account, app } = await phoneOf('streams')
    const streams = []
    for (let open = 0; open < STREAMS; open++) streams.push(await app.listen())
    await assert.rejects(app.listen(), /the stream was answered 503/)
    for (const stream of streams) await stream.until('SettingsUpdated\ndata: {}\n\n')
    await send(account)
    await Promise.all(streams.map(stream => stream.until('MessageEnqueued\ndata: {}\n\n')))
    for (const stream of streams) stream.close()
  })
})
