import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import type { HostileGateway } from '#test/kit/hostile-gateway.ts'
import { sharedHostile } from '#test/kit/shared-gateway.ts'

const NUMBER = '+15005550006'

describe('Idempotency-Key', () => {
  let it: HostileGateway
  beforeEach(async () => {
    it = await sharedHostile()
  })

  const send = (idempotencyKey: string, body: unknown, apiKey = it.owner.testKey) =>
    it.ask({
      method: 'POST',
      path: '/api/v1/sms/send',
      headers: [
        ['X-API-Key', apiKey],
        ['Idempotency-Key', idempotencyKey],
      ],
      body: JSON.stringify(body),
    })
  const messages = () => it.rows()['message'] ?? 0

  test('of twenty requests at once, one makes a message and nineteen replay its answer', async () => {
    const before = messages()
    const body = { phoneNumber: NUMBER, message: 'once' }
    const answers = await Promise.all(Array.from({ length: 20 }, () => send('at-once', body)))
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
    assert.equal(new Set(answers.map(answer => answer.body)).size, 1)
    const replays = answers.filter(answer => answer.headers['idempotent-replayed']?.join() === 'true')
    assert.equal(replays.length, 19)
    assert.equal(messages(), before + 1)
  })

  test('the same key with another body is refused and makes nothing', async () => {
    await send('other-body', { phoneNumber: NUMBER, message: 'first' })
    const before = messages()
    const other = await send('other-body', { phoneNumber: NUMBER, message: 'second' })
    assert.equal(other.code, 'IDEMPOTENCY_MISMATCH')
    assert.equal(other.headers['idempotent-replayed'], undefined)
    assert.equal(messages(), before)
  })

  test('the same key counts separately in each mode and account', async () => {
    const body = { phoneNumber: NUMBER, message: 'mine', queueIfOffline: true }
    const stranger = await it.gateway.account('stranger@example.com')
    const first = await send('shared', body)
    for (const apiKey of [it.owner.liveKey, stranger.testKey, stranger.liveKey]) {
      const answer = await send('shared', body, apiKey)
      assert.equal(answer.status, 200)
      assert.equal(answer.headers['idempotent-replayed'], undefined)
      assert.notEqual(answer.data['messageId'], first.data['messageId'])
    }
  })

  test('an invalid Idempotency-Key is reported together with the other faults', async () => {
    const before = messages()
    for (const bad of ['', 'a b', 'x'.repeat(256), '\u00e9', 'a\tb']) {
      const answer = await send(bad, { phoneNumber: NUMBER, message: '' })
      assert.deepEqual(answer.paths, ['Idempotency-Key', 'message'], JSON.stringify(bad))
    }
    assert.equal(messages(), before)
    for (const good of ['x'.repeat(255), '!', '~"\\,;=', '%0d%0a'])
      assert.equal((await send(good, { phoneNumber: NUMBER, message: 'x' })).status, 200, good)
  })

  test('a refusal is not kept: the same key serves the corrected request', async () => {
    assert.equal((await send('again', { phoneNumber: NUMBER })).status, 400)
    assert.equal((await send('again', { phoneNumber: '+15005550004', message: 'x' })).status, 503)
    const corrected = await send('again', { phoneNumber: NUMBER, message: 'x' })
    assert.equal(corrected.status, 200)
    assert.equal(corrected.headers['idempotent-replayed'], undefined)
  })
})
