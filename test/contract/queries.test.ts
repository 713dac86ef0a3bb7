import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import type { CheckedAnswer, HostileGateway } from '#test/kit/hostile-gateway.ts'
import { sharedHostile } from '#test/kit/shared-gateway.ts'

const BAD: readonly (readonly [query: string, paths: readonly string[]])[] = [
  ['limit=0', ['limit']],
  ['limit=201', ['limit']],
  ['limit=-1', ['limit']],
  ['limit=x', ['limit']],
  ['limit=', ['limit']],
  ['limit=1.5', ['limit']],
  ['limit=1e2', ['limit']],
  ['limit=0x10', ['limit']],
  ['limit=99999999999999999999', ['limit']],
  ['limit=1&limit=2', ['limit']],
  ['status=Queued', ['status']],
  ['status=%2571ueued', ['status']],
  ['status=__proto__', ['status']],
  ['cursor=', ['cursor']],
  ['cursor=bXNnXw', ['cursor']],
  ['cursor=%00', ['cursor']],
  [`cursor=${'A'.repeat(2000)}`, ['cursor']],
  ['deviceId=x', ['deviceId']],
  ['deviceId=dev_%27%20OR%201=1', ['deviceId']],
  ['phoneNumber=abc', ['phoneNumber']],
  ['phoneNumber=', ['phoneNumber']],
  ['phoneNumber=15005550006', ['phoneNumber']],
  ['since=yesterday', ['since']],
  ['since=2026-02-31T00:00:00Z', ['since']],
  ['since=1767225600', ['since']],
  ['until=2026-01-01', ['until']],
  [
    'limit=0&status=x&cursor=x&deviceId=x&phoneNumber=x&since=x&until=x',
    ['cursor', 'deviceId', 'limit', 'phoneNumber', 'since', 'status', 'until'],
  ],
]

describe('GET /sms', () => {
  let it: HostileGateway
  beforeEach(async () => {
    it = await sharedHostile()
  })

  const list = (query: string, key = it.owner.testKey) =>
    it.ask({ path: `/api/v1/sms${query === '' ? '' : `?${query}`}`, headers: [['X-API-Key', key]] })
  const send = async (body: Record<string, unknown>, key = it.owner.testKey): Promise<string> => {
    const answer = await it.ask({
      method: 'POST',
      path: '/api/v1/sms/send',
      headers: [['X-API-Key', key]],
      body: JSON.stringify(body),
    })
    assert.equal(answer.status, 200, answer.body)
    return String(answer.data['messageId'])
  }
  const idsOf = ({ json }: CheckedAnswer) =>
    (json?.['data'] as { readonly messageId: string }[] | undefined)?.map(({ messageId }) => messageId) ?? []
  const cursorOf = ({ json }: CheckedAnswer) =>
    (json?.['page'] as { readonly nextCursor: string | null } | undefined)?.nextCursor ?? null

  test('all wrong parameters are named at once', async () => {
    for (const [query, paths] of BAD) {
      const answer = await list(query)
      assert.equal(answer.code, 'INVALID_REQUEST', query)
      assert.deepEqual(answer.paths, paths, query)
    }
  })

  test('unknown parameters and incomplete escapes are no error', async () => {
    for (const query of ['unknown=1', '__proto__=1&constructor=2', '&&&', '=', '%zz=%zz', '?a?b', '%00'])
      assert.equal((await list(query)).status, 200, query)
  })

  test('pages contain every message once, newest first, even with equal times', async () => {
    const key = (await it.gateway.account('pages@example.com')).liveKey
    const sent = await Promise.all(
      Array.from({ length: 120 }, (_, i) =>
        send({ phoneNumber: '+15005550006', message: `${i}`, queueIfOffline: true }, key),
      ),
    )
    for (const limit of [7, 50, 120, 200]) {
      const seen: string[] = []
      for (let cursor: string | null = ''; cursor !== null; ) {
        const page = await list(`limit=${limit}${cursor && `&cursor=${cursor}`}`, key)
        assert.ok(idsOf(page).length <= limit)
        seen.push(...idsOf(page))
        cursor = cursorOf(page)
      }
      assert.deepEqual(seen, [...sent].sort().reverse(), `limit ${limit}`)
    }
    assert.equal(idsOf(await list('', key)).length, 50)
  })

  test('each filter returns only matching messages, and a number may have its + escaped or not', async () => {
    const key = (await it.gateway.account('filters@example.com')).liveKey
    const queue = { message: 'x', queueIfOffline: true }
    const first = await send({ ...queue, phoneNumber: '+15005550006' }, key)
    const second = await send({ ...queue, phoneNumber: '+14155550123' }, key)
    await it.ask({ method: 'DELETE', path: `/api/v1/sms/${first}`, headers: [['X-API-Key', key]] })
    const found = async (query: string) => idsOf(await list(query, key))
    assert.deepEqual(await found('phoneNumber=%2B15005550006'), [first])
    assert.deepEqual(await found('phoneNumber=+15005550006'), [first])
    assert.deepEqual(await found('phoneNumber=%2B1%20500%20555%200006'), [first])
    assert.deepEqual(await found('status=failed'), [first])
    assert.deepEqual(await found('status=queued'), [second])
    assert.deepEqual(await found('since=2020-01-01T00:00:00Z'), [second, first])
    assert.deepEqual(await found('until=2020-01-01T00:00:00.000Z'), [])
    assert.deepEqual(await found('since=2999-01-01T00:00:00Z'), [])
    assert.deepEqual(await found('since=2999-01-01T00:00:00Z&until=2020-01-01T00:00:00Z'), [])
    assert.deepEqual(await found('deviceId=dev_01M7YNH9877GX8FBZ8AMT8W3XR'), [])
    assert.deepEqual(await found('status=queued&phoneNumber=%2B15005550006'), [])
  })

  test('test keys, live keys and other accounts never see one another’s messages', async () => {
    const mine = await it.gateway.account('mine@example.com')
    const other = await it.gateway.account('other@example.com')
    const body = { phoneNumber: '+15005550003', message: 'mine', queueIfOffline: true }
    const live = await send(body, mine.liveKey)
    const sandbox = await send(body, mine.testKey)
    assert.deepEqual(idsOf(await list('', mine.liveKey)), [live])
    assert.deepEqual(idsOf(await list('', mine.testKey)), [sandbox])
    const strangers = [
      [live, mine.testKey],
      [sandbox, mine.liveKey],
      [live, other.liveKey],
      [sandbox, other.testKey],
    ] as const
    for (const [id, key] of strangers) {
      assert.ok(!idsOf(await list('', key)).includes(id))
      for (const method of ['GET', 'DELETE']) {
        const answer = await it.ask({ method, path: `/api/v1/sms/${id}`, headers: [['X-API-Key', key]] })
        assert.equal(answer.code, 'NOT_FOUND')
      }
    }
    const kept = await it.ask({ path: `/api/v1/sms/${live}`, headers: [['X-API-Key', mine.liveKey]] })
    assert.equal(kept.data['status'], 'queued')
  })

  test("another account's phone gets 404 for every request", async () => {
    const other = await it.gateway.account('phones@example.com')
    const { accountId } = it.owner
    const { code } = await it.gateway.ask('device.create-pairing', { accountId, name: 'mine' })
    const { deviceId } = await it.gateway.ask('device.pair', {
      code,
      name: null,
      platform: null,
      appVersion: null,
    })
    const path = `/api/v1/devices/${deviceId}`
    const byToken = [['Authorization', `Bearer ${other.token}`]] as const
    const asked = [
      await it.ask({ path, headers: byToken }),
      await it.ask({ method: 'PATCH', path, headers: byToken, body: '{"paused":true}' }),
      await it.ask({ method: 'DELETE', path, headers: byToken }),
      await it.ask({
        method: 'POST',
        path: '/api/v1/sms/send',
        headers: byToken,
        body: JSON.stringify({ phoneNumber: '+15005550006', message: 'x', deviceId }),
      }),
    ]
    for (const answer of asked) assert.equal(answer.code, 'NOT_FOUND', answer.body)
    const mine = await it.ask({ path, headers: [['X-API-Key', it.owner.liveKey]] })
    assert.equal(mine.data['paused'], false)
  })
})
