import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { checkAnswer, undescribedRoutes } from '#test/kit/check-answer.ts'
import type { HostileGateway } from '#test/kit/hostile-gateway.ts'
import { RawPhone, SIM_HELLO } from '#test/kit/raw-websocket.ts'
import { declaredRoutes } from '#test/kit/routes.ts'
import { sharedHostile } from '#test/kit/shared-gateway.ts'
import type { Route } from '#transport/http/route.ts'

const JSON_HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-request-id': 'a',
}
const RATE = { 'x-ratelimit-limit': '1', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1' }

describe('the descriptions of the API', () => {
  test('exist for every route', async () => {
    const routes = await declaredRoutes()
    assert.deepEqual(undescribedRoutes(routes), [])
    const bare: Route = {
      method: 'get',
      path: '/api/v1/new',
      access: 'public',
      body: 'none',
      handle: () => ({ data: 1 }),
    }
    assert.deepEqual(undescribedRoutes([...routes, bare]), ['get /api/v1/new'])
  })

  test('the checker finds an answer that differs from its description', () => {
    const answerOf = (status: number, json: unknown, headers: Record<string, string> = RATE) => ({
      status,
      body: JSON.stringify(json),
      header: (name: string) => ({ ...JSON_HEADERS, ...headers })[name.toLowerCase()] ?? null,
    })
    const check = (status: number, json: unknown, headers?: Record<string, string>) => () =>
      checkAnswer('GET', '/api/v1/devices', answerOf(status, json, headers))
    const refusal = (code: string) => ({ success: false, error: { code, message: 'x' } })
    assert.doesNotThrow(check(200, { success: true, data: [] }))
    assert.doesNotThrow(check(404, refusal('NOT_FOUND')))
    assert.throws(check(200, { success: true, data: [] }, {}), 'no limits')
    assert.throws(check(200, { success: true, data: [] }, { ...RATE, 'cache-control': 'max-age=9' }), 'kept')
    assert.throws(check(200, { success: true, data: [{}] }), 'another shape')
    assert.throws(check(200, { success: true, data: [], more: 1 }), 'another envelope')
    assert.throws(check(404, refusal('MISSING')), 'an unknown code')
    assert.throws(check(400, refusal('NOT_FOUND')), 'another status')
    assert.throws(check(400, refusal('INVALID_REQUEST')), 'no issues')
    assert.throws(check(405, refusal('METHOD_NOT_ALLOWED')), 'no Allow')
  })
})

describe('the answers of a gateway with a phone', () => {
  let it: HostileGateway
  beforeEach(async () => {
    it = await sharedHostile()
  })

  test('are as described, for every route of the API', async () => {
    const byToken = [['Authorization', `Bearer ${it.owner.token}`]] as const
    const answered = new Set<string>()
    const ask = async (method: string, path: string, body?: unknown) => {
      const parts = { method, path, headers: byToken }
      const answer = await it.ask(body === undefined ? parts : { ...parts, body: JSON.stringify(body) })
      assert.equal(answer.status, 200, `${method} ${path} ${answer.body}`)
      answered.add(`${method.toLowerCase()} ${path.replace(/(msg|dev)_\w+/, '{id}').replace(/\?.*/, '')}`)
      return answer.data
    }
    const { code } = await ask('POST', '/api/v1/devices/pairings', { name: 'phone' })
    const about = { name: 'phone', platform: 'x', appVersion: '1' }
    const paired = await ask('POST', '/device/v1/pair', { code, ...about })
    const phone = await RawPhone.open(it.gateway.url, String(paired['token']))
    const odd = { slot: 2, carrier: 'Ünïcode 😀', countryCode: 'de', phoneNumber: '+49 151' }
    phone.sendFrame({ ...SIM_HELLO, sims: [odd, ...SIM_HELLO.sims] })
    phone.sendFrame({ type: 'sync', messages: [] })
    phone.sendFrame({ type: 'telemetry', battery: 33.4, charging: true, signal: -70.5, busy: false })
    await phone.next('synced')

    const device = `/api/v1/devices/${paired['deviceId']}`
    await ask('GET', device)
    await ask('PATCH', device, { name: ' mine ', paused: false, segmentsPerMinute: 60 })
    await ask('PATCH', device, { segmentsPerMinute: null })
    await ask('GET', '/api/v1/devices')
    await ask('GET', `${device}/history?days=30`)
    await ask('GET', `${device}/drills`)
    await ask('GET', '/api/v1/devices/modems')
    await ask('GET', '/api/v1/account/usage')

    const sent = await ask('POST', '/api/v1/sms/send', { phoneNumber: '+15005550006', message: 'é 😀 "{"' })
    const { messageId } = sent
    const message = `/api/v1/sms/${messageId}`
    await ask('GET', message)
    const { attempt } = await phone.next('offer')
    for (const state of ['sent', 'delivered']) {
      if (state === 'sent') {
        phone.sendFrame({ type: 'begin', messageId, attempt })
        await phone.next('go')
      }
      phone.sendFrame({ type: 'report', messageId, attempt, state, code: null, at: null })
      await phone.next('ack')
      assert.equal((await ask('GET', message))['status'], state)
    }
    const waiting = { phoneNumber: '+15005550006', message: 'x', queueIfOffline: true }
    await ask('PATCH', device, { paused: true })
    const cancelled = await ask('POST', '/api/v1/sms/send', waiting)
    await ask('GET', `/api/v1/sms/${cancelled['messageId']}/forecast`)
    await ask('DELETE', `/api/v1/sms/${cancelled['messageId']}`)
    await ask('GET', '/api/v1/sms?limit=1')
    await ask('DELETE', device)
    await ask('GET', '/healthz')
    await ask('GET', '/readyz')
    phone.close()

    // export.test.ts reads the table.
    answered.add('get /api/v1/sms.csv')
    // PATCH /account needs a password: see sessions.test.ts. reached-phones.test.ts adds a phone.
    answered.add('post /api/v1/devices')
    // drills.test.ts begins one.
    answered.add('post /api/v1/devices/{id}/drills')
    const described = (await declaredRoutes())
      .filter(({ path }) => /^\/api\/v1\/(?:sms(?!\/2fa)|devices|account\/)/.test(path))
      .map(({ method, path }) => `${method} ${path.replace(/\{\w+\}/, '{id}')}`)
    assert.deepEqual(
      described.filter(route => !answered.has(route)),
      [],
    )
  })
})
