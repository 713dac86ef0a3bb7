/** The session of the app SMSGate with a cloud server, over real HTTP and its event stream. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { CloudApp, signatureOf } from '#test/kit/cloud-app.ts'
import { cloudRig } from '#test/kit/cloud-rig.ts'
import { startGateway, type TestAccount, type TestGateway } from '#test/kit/gateway.ts'
import { nextLook } from '#test/kit/next-turn.ts'

describe('SMSGate in its cloud mode', () => {
  let gateway: TestGateway
  let owner: TestAccount
  const { codeFor, register, send, find, deviceOf } = cloudRig(() => gateway)

  before(async () => {
    gateway = await startGateway({ config: { http: { listeners: 2 } } })
    owner = await gateway.account('phones@example.com')
  })
  after(() => gateway.stop())

  const accountOf = (name: string) => gateway.account(`${name}@example.com`)
  test('a code registers once, and only a known token is accepted', async () => {
    const code = await codeFor(owner)
    const app = new CloudApp(`${gateway.url}/api/mobile/v1`)
    const first = await app.register(`Code ${code}`)
    assert.equal(first.status, 201)
    assert.match(first.type, /^application\/json/)
    assert.equal(first.json.login, 'Front desk')
    const stranger = new CloudApp(`${gateway.url}/api/mobile/v1`)
    for (const authorization of [`Code ${code}`, 'Code 12ab', 'Bearer rt_wrong', 'Basic eDp5', '']) {
      const answer = await stranger.register(authorization)
      assert.equal(answer.status, 401, authorization)
      assert.equal(typeof answer.json.message, 'string')
    }
    for (const [method, path] of [
      ['PATCH', '/device'],
      ['GET', '/message'],
      ['PATCH', '/message'],
      ['GET', '/webhooks'],
      ['GET', '/settings'],
      ['GET', '/events'],
      ['GET', ''],
    ] as const) {
      const authorization = 'Bearer dvt_of_another_server'
      const answer = await stranger.call(
        method,
        path,
        method === 'GET' ? { authorization } : { authorization, json: [] },
      )
      assert.equal(answer.status, 401, `${method} ${path}`)
    }
    const { token: asking } = await gateway.ask('device.add', {
      ...{ accountId: owner.accountId, name: 'ours', protocol: 'roost', appVersion: null },
    })
    assert.equal((await app.call('GET', '/message', { authorization: `Bearer ${asking}` })).status, 401)
    assert.equal((await app.call('GET', '/user/code')).status, 501)
    assert.match(
      (await stranger.call<{ externalIp: string }>('GET', '/device')).json.externalIp,
      /^127\.0\.0\.1$/,
    )
  })

  test('double slashes are accepted, and both base paths serve the same phone', async () => {
    const app = await register({ account: owner })
    for (const base of ['/smsgate/v1/', '/api/mobile/v1', '/api/mobile/v1/', '//api//mobile//v1/']) {
      const other = new CloudApp(gateway.url + base)
      other.token = app.token
      assert.deepEqual(await other.pull(), [], base)
    }
  })

  test('a fetched text is in status sending, listed until it is reported, then delivered', async () => {
    const account = await accountOf('replay')
    const app = await register({ account })
    const sims = [{ slotIndex: 0, simNumber: 1, phoneNumber: '********0001', carrierName: '****bile' }]
    const start = await app.call('PATCH', '/device', { json: { id: app.deviceId, simCards: sims } })
    assert.equal(start.status, 204)
    const stream = await app.listen()
    assert.equal(stream.type, 'text/event-stream')
    await stream.until('event: SettingsUpdated\ndata: {}\n\n')
    const id = await send(account)
    await stream.until('event: MessageEnqueued\ndata: {}\n\n')
    assert.equal((await find(account, id))?.['status'], 'queued')
    const [item, ...more] = await app.pull()
    assert.deepEqual(more, [])
    assert.equal((await find(account, id))?.['status'], 'sending')
    assert.equal(item?.['id'], id)
    assert.deepEqual(item?.['textMessage'], { text: 'Your code is 1234' })
    assert.deepEqual(item?.['phoneNumbers'], ['+15550100123'])
    assert.match(String(item?.['validUntil']), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    assert.deepEqual(
      (await app.pull()).map(one => one['id']),
      [id],
      'not reported yet',
    )
    assert.equal((await app.report(id, 'Pending')).status, 204)
    assert.deepEqual(await app.pull(), [])
    const reports = ['Sent', 'Processed', 'Delivered', 'Sent']
    for (const state of reports)
      assert.equal((await app.report(id, state, { states: { Sent: 'no date' } })).status, 204)
    const ended = await find(account, id)
    assert.equal(ended?.['status'], 'delivered')
    for (const odd of ['unknown', 'msg_00000000000000000000000000'])
      assert.equal((await app.report(odd, 'Sent')).status, 204)
    assert.equal((await app.report(id, 'NoSuchState')).status, 204)
    const device = await deviceOf(account, app)
    assert.equal(device?.['status'], 'online')
    assert.equal(device?.['kind'], 'smsgate-cloud')
    assert.equal(device?.['appVersion'], '1.68.0')
    assert.equal(device?.['simInfo'] !== undefined, true)
    stream.close()
  })

  test('a failure without transmission is retried with another id; another failure is final', async () => {
    const account = await accountOf('failures')
    const app = await register({ account })
    const id = await send(account)
    await app.pull()
    const error = 'Send result: RESULT_ERROR_NULL_PDU (No PDU provided)'
    await app.report(id, 'Failed', { error })
    const ended = await find(account, id)
    assert.equal(ended?.['status'], 'failed')
    const again = await send(account)
    await app.pull()
    await app.report(again, 'Failed', { error: 'Send result: RESULT_ERROR_NO_SERVICE (no service)' })
    assert.equal((await find(account, again))?.['status'], 'queued')
    await app.report(again, 'Sent')
    assert.equal((await find(account, again))?.['status'], 'queued', 'the report is about an older attempt')
  })

  test('several streams stay open together, and a burst causes few events', async () => {
    const account = await accountOf('streams')
    const app = await register({ account })
    const streams = [await app.listen(), await app.listen()]
    for (const stream of streams) await stream.until('SettingsUpdated\ndata: {}\n\n')
    const first = await send(account)
    for (const stream of streams) await stream.until('MessageEnqueued\ndata: {}\n\n')
    await app.pull()
    await app.report(first, 'Sent')
    await Promise.all(Array.from({ length: 20 }, () => send(account)))
    const [told] = await Promise.all(streams.map(stream => stream.until('MessageEnqueued\ndata: {}\n\n')))
    assert.equal(told?.match(/MessageEnqueued/g)?.length, 1)
    streams[0]?.close()
    assert.equal((await deviceOf(account, app))?.['status'] !== 'offline', true)
    streams[1]?.close()
  })

  test('a phone without a stream counts as connected while it fetches', async () => {
    const account = await accountOf('polls')
    const app = await register({ account })
    assert.equal((await deviceOf(account, app))?.['status'], 'offline')
    await app.pull()
    assert.equal((await deviceOf(account, app))?.['status'], 'online')
    const id = await send(account, { queueIfOffline: false })
    assert.deepEqual(
      (await app.pull()).map(one => one['id']),
      [id],
    )
  })

  test('a fetched text goes to no other phone, nor to the same phone after it registers again', async () => {
    const account = await accountOf('renewed')
    const app = await register({ account })
    const other = await register({ account })
    const settings = await app.settings()
    const id = await send(account, { deviceId: app.deviceId })
    assert.equal((await app.pull()).length, 1)
    assert.deepEqual(await other.pull(), [])
    const before = app.token
    const answer = await app.register(`Bearer ${settings.gateway.private_token}`)
    assert.equal(answer.status, 201)
    assert.equal((await app.call('GET', '/message', { authorization: `Bearer ${before}` })).status, 401)
    assert.deepEqual([...(await app.pull()), ...(await other.pull())], [])
    const ended = await find(account, id)
    assert.deepEqual(ended?.['failure'] && Object(ended['failure']).code, 'OUTCOME_UNKNOWN')
    await gateway.ask('device.remove', { accountId: account.accountId, deviceId: app.deviceId })
    assert.equal((await app.call('PATCH', '/device', { json: {} })).status, 401)
    assert.equal((await app.register(`Bearer ${settings.gateway.private_token}`)).status, 401)
  })

  test('signed webhooks report texts (once), states and the battery; unsigned ones are refused', async () => {
    const account = await accountOf('hooks')
    const app = await register({ account })
    const { webhooks, ping } = await app.settings()
    const key = webhooks.signing_key
    assert.equal(ping.interval_seconds, 900)
    const payload = {
      ...{ message: "It's 5 > 3", receivedAt: '2026-07-30T10:26:41.000+02:00', messageId: '9c41d07e' },
      ...{ sender: '+15550100777', simNumber: 1 },
    }
    for (const id of ['event-1', 'event-1', 'event-2'])
      assert.equal((await app.postEvent(key, 'sms:received', { id, payload })).status, 200)
    const later = { ...payload, receivedAt: '2026-07-30T10:27:00.000+02:00' }
    assert.equal((await app.postEvent(key, 'sms:received', { id: 'event-3', payload: later })).status, 200)
    const inbox = await gateway.call('GET', '/api/v1/received', { key: account.liveKey })
    assert.deepEqual(
      inbox.json?.data.map(one => one['message']),
      ["It's 5 > 3", "It's 5 > 3"],
    )
    assert.equal((await app.postEvent('another key', 'sms:received', { id: 'event-4', payload })).status, 401)
    const [hook] = await app.webhooks()
    const body =
      '{"id":"e","event":"sms:received","payload":{"message":"It\\u0027s","sender":"+15550100778"}}'
    assert.equal((await app.post(hook?.url ?? '', body, {})).status, 401)
    assert.equal(
      (await app.post(hook?.url ?? '', body.replace('+1', '+2'), signatureOf(key, body))).status,
      401,
    )
    assert.equal((await app.post(`${hook?.url ?? ''}x`, body, signatureOf(key, body))).status, 401)
    assert.equal((await app.post(hook?.url ?? '', body, signatureOf(key, body))).status, 200)

    const id = await send(account)
    await app.pull()
    await app.postEvent(key, 'sms:sent', { id: 'event-5', payload: { messageId: id, partsCount: 1 } })
    assert.equal((await find(account, id))?.['status'], 'sent')
    await app.postEvent(key, 'sms:delivered', { id: 'event-6', payload: { messageId: id } })
    assert.equal((await find(account, id))?.['status'], 'delivered')
    const checks = { 'battery:level': { observedValue: 71 }, 'battery:charging': { observedValue: 3 } }
    await app.postEvent(key, 'system:ping', {
      id: 'event-7',
      payload: { health: { status: 'pass', checks } },
    })
    const device = await deviceOf(account, app)
    assert.deepEqual([device?.['battery'], device?.['charging']], [71, true])
  })

  test('a code that a newer one replaced is taken back from the phone, if its app can cancel', async () => {
    const account = await accountOf('replaced')
    const app = await register({ account })
    const older = new CloudApp(app.base, { version: '1.66.2' })
    older.token = app.token
    const stream = await app.listen()
    // The listener that takes the code may be ahead of the listener that holds the stream.
    while ((await deviceOf(account, app))?.['status'] !== 'online') await nextLook()
    const issue = async (code: string) => {
      const json = { phoneNumber: '+15550100123', code }
      const answer = await gateway.call('POST', '/api/v1/sms/2fa', { key: account.liveKey, json })
      assert.equal(answer.status, 200, answer.text)
      return String(answer.json?.data['messageId'])
    }
    const pulled = async (by: CloudApp) => (await by.pull()).map(one => [one['id'], one['state']])
    const [dropped, sent] = [await issue('111111'), await issue('222222')]
    assert.deepEqual(await pulled(app), [[sent, 'Pending']], 'the first was cancelled while it waited')
    assert.equal((await find(account, dropped))?.['status'], 'failed')
    assert.equal((await app.report(sent, 'Pending')).status, 204)
    const newest = await issue('333333')
    await stream.until(`event: MessageCancelled\ndata: {"messageId":"${sent}"}\n\n`)
    assert.deepEqual(await pulled(older), [[newest, 'Pending']], 'it would send the other one')
    assert.deepEqual(await pulled(app), [
      [sent, 'Cancelling'],
      [newest, 'Pending'],
    ])
    assert.equal((await find(account, sent))?.['status'], 'sending', 'the phone may have begun')
    await app.report(sent, 'Cancelled')
    const { status, failure } = (await find(account, sent)) ?? {}
    assert.deepEqual([status, Object(failure).code], ['failed', 'CANCELLED'])
    assert.deepEqual(await pulled(app), [[newest, 'Pending']])
    stream.close()
  })

  test('each app version gets only the events that it supports', async () => {
    const app = await register({ account: owner, version: '1.60.0' })
    const events = async () => (await app.webhooks()).map(hook => hook.event)
    assert.ok((await events()).includes('mms:downloaded'))
    assert.ok(!(await events()).includes('app:started'))
    assert.ok(!(await events()).includes('sms:cancelled'))
    const newer = new CloudApp(app.base)
    newer.token = app.token
    const all = await newer.webhooks()
    for (const event of ['app:started', 'sms:cancelled']) assert.ok(all.some(hook => hook.event === event))
    assert.equal(new Set(all.map(hook => hook.id)).size, all.length)
  })
})
