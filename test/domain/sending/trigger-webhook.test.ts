import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { WEBHOOK_WINDOW_MS } from '#contracts/bounds.ts'
import { TRIGGER_REPEAT_MS } from '#domain/webhook/trigger-gate.ts'
import { hash } from '#storage/source.ts'
import { FIELDS, NO_FACTS, NOT_READ, refusal, startWebhook as start } from '#test/kit/webhook-world.ts'

/** Where a test comes from, and what makes it unlike other requests. */
const SOURCE = { address: '192.0.2.1', requestHash: hash('test'), ...NOT_READ, facts: NO_FACTS }

suite('the cap', () => {
  test('counts a sliding hour: a place is free an hour after the trigger that took it', () => {
    const { world, trigger, usage } = start()
    for (let i = 0; i < 3; i++) {
      trigger()
      world.advance(600_000)
    }
    const { code, details } = refusal(() => trigger())
    assert.equal(code, 'RATE_LIMIT_EXCEEDED')
    assert.deepEqual([details?.limit, details?.used, details?.retryAfterS], [3, 3, 1800])
    assert.equal(Date.parse(details?.resetAt ?? ''), world.wallMs + 1_800_000)
    world.advance(1_799_999)
    refusal(() => trigger())
    world.advance(1)
    trigger()
    assert.equal(refusal(() => trigger()).details?.retryAfterS, 600)
    assert.deepEqual([usage().thisHour, usage().total, usage().rejected], [3, 4, 3])
  })

  test("holds back an alert over it, but not the owner's test", () => {
    const { world, ids, trigger, rows } = start({ maxPerHour: 1, summarizeOverflow: true })
    const input = { text: 'TEST', segments: 1, encoding: 'GSM-7', format: 'generic' } as const
    trigger()
    refusal(() => world.ask('webhook.test', { ...ids, ...input, ...SOURCE }))
    world.advance(WEBHOOK_WINDOW_MS)
    assert.equal(rows('message'), 1)
    trigger()
    refusal(() => trigger())
    world.advance(WEBHOOK_WINDOW_MS)
    // The alert, the notice of the refusal, and the summary.
    assert.equal(rows('message'), 4)
  })

  test('survives a restart, and a rotation of the address', () => {
    const { world, trigger, rotate } = start()
    for (let i = 0; i < 3; i++) trigger()
    world.restart()
    refusal(() => trigger())
    rotate()
    refusal(() => trigger())
  })

  test('counts earlier triggers after it is lowered, and states when there is room again', () => {
    const { world, ids, trigger } = start()
    for (let i = 0; i < 3; i++) {
      trigger()
      world.advance(60_000)
    }
    world.ask('webhook.update', { ...ids, change: { maxPerHour: 1 } })
    const { details } = refusal(() => trigger())
    assert.deepEqual([details?.limit, details?.used], [1, 3])
    assert.equal(details?.retryAfterS, 3600 - 60)
    world.advance(3_540_000)
    trigger()
  })

  test('counts a trigger once, whatever its number of recipients', () => {
    const recipients = ['+14155550123', '+14155550124'].map(phoneNumber => ({ phoneNumber, country: 'US' }))
    const { trigger, rows } = start({ recipients })
    for (let i = 0; i < 3; i++) assert.equal(trigger().messages.length, 2)
    refusal(() => trigger())
    assert.equal(rows('message'), 6)
  })

  for (const jumpMs of [-30 * 86_400_000, 30 * 86_400_000, 1800_000])
    test(`is full for exactly an hour when the wall clock jumps by ${jumpMs} ms`, () => {
      const { world, trigger } = start()
      trigger()
      world.advance(600_000)
      for (let i = 0; i < 2; i++) trigger()
      world.wallMs += jumpMs
      const { details } = refusal(() => trigger())
      // The gateway does not go back with the clock.
      const believedMs = world.wallMs - Math.min(jumpMs, 0)
      assert.equal(Date.parse(details?.resetAt ?? ''), believedMs + WEBHOOK_WINDOW_MS - 600_000)
      world.advance(WEBHOOK_WINDOW_MS - 600_001)
      world.wallMs -= jumpMs
      refusal(() => trigger())
      world.advance(1)
      trigger()
      refusal(() => trigger())
    })

  test('stays full after a transaction that failed while the clock had jumped', () => {
    const { world, trigger, rows } = start()
    for (let i = 0; i < 3; i++) trigger()
    world.wallMs += 30 * 86_400_000
    world.database.exec(`CREATE TRIGGER broken BEFORE UPDATE OF rejected ON webhook
      BEGIN SELECT RAISE(FAIL, 'broken'); END`)
    assert.throws(() => trigger(), /broken/)
    world.database.exec('DROP TRIGGER broken')
    refusal(() => trigger())
    assert.equal(rows('webhook_trigger'), 3)
  })

  test('is full for at most an hour if the wall clock went back during a restart', () => {
    const { world, trigger } = start()
    for (let i = 0; i < 3; i++) trigger()
    world.wallMs -= 30 * 86_400_000
    world.restart()
    refusal(() => trigger())
    world.advance(WEBHOOK_WINDOW_MS)
    trigger()
  })

  test('keeps no rows older than an hour', () => {
    const { world, trigger, rows } = start()
    trigger()
    world.advance(WEBHOOK_WINDOW_MS)
    trigger()
    assert.equal(rows('webhook_trigger'), 1)
  })
})

suite('a repeated request', () => {
  test('gives the first messages for a minute, and is a new alert after that', () => {
    const { world, trigger, usage } = start()
    const first = trigger('same')
    world.advance(TRIGGER_REPEAT_MS - 1)
    assert.deepEqual(trigger('same'), { ...first, duplicate: true })
    world.advance(1)
    const next = trigger('same')
    assert.equal(next.duplicate, false)
    assert.notEqual(next.messages[0]?.messageId, first.messages[0]?.messageId)
    assert.equal(usage().total, 2)
  })

  test('by the same mail gives nothing more for three days, whatever came in between', () => {
    const { world, ids, token, usage } = start({ maxPerHour: 1000 })
    const text = { text: 'UPS', segments: 1, encoding: 'GSM-7', format: 'generic' } as const
    let requests = 0
    const mail = (id: string) => {
      const hashes = { tokenHash: hash(token), mailHash: hash(id), requestHash: hash(`mail ${++requests}`) }
      return world.ask('webhook.trigger', { ...SOURCE, ...text, ...hashes }).duplicate
    }
    assert.deepEqual([mail('a'), mail('b'), mail('a')], [false, false, true])
    world.restart()
    world.advance(3 * 86_400_000 - 1)
    assert.equal(mail('a'), true)
    world.advance(86_400_000)
    assert.equal(mail('b'), false)
    assert.equal(usage().total, 3)
    world.ask('webhook.remove', ids)
    assert.deepEqual(world.database.prepare('SELECT * FROM taken_mail').all(), [])
  })

  test('is recognised after a restart', () => {
    const { world, trigger } = start()
    const first = trigger('same')
    world.restart()
    assert.deepEqual(trigger('same'), { ...first, duplicate: true })
  })

  test('of another webhook is another alert', () => {
    const { world, accountId, trigger, triggerAt } = start()
    trigger('same')
    const other = world.ask('webhook.create', { accountId, fields: FIELDS })
    const answer = triggerAt(other.token ?? '', 'same')
    assert.equal(answer.duplicate, false)
  })
})

test("an alert whose recipients exceed the day's quota is sent to none of them", () => {
  const recipients = Array.from({ length: 4 }, (_, i) => ({ phoneNumber: `+1415555012${i}`, country: 'US' }))
  const { world, trigger, rows, usage } = start({ recipients, maxPerHour: 100 }, 'free')
  trigger()
  trigger()
  const { details } = refusal(() => trigger())
  assert.deepEqual([details?.limit, details?.used], [10, 8])
  assert.deepEqual([rows('message'), rows('webhook_trigger'), usage().rejected], [8, 2, 1])
  world.advance(13 * 3_600_000)
  trigger()
  assert.equal(usage().today, 1)
})

test('an alert waits up to a day for a phone, ahead of normal messages', () => {
  const { world, trigger } = start()
  const [message] = trigger().messages
  const row = world.database.prepare('SELECT * FROM message').get()
  assert.deepEqual(
    [row?.['kind'], row?.['priority'], row?.['device_id'], Number(row?.['expires_at']) - world.wallMs],
    ['webhook', 'high', row?.['device_id'], 86_400_000],
  )
  assert.match(String(row?.['webhook_id']), /^whk_/)
  world.advance(86_400_001)
  const status = world.database.prepare('SELECT status FROM message WHERE id = ?')
  assert.equal(status.get(message?.messageId ?? '')?.['status'], 'failed')
})

test('a webhook with its own phone uses it, and any other phone after it is removed', () => {
  const { world, accountId, ids, deviceId, pair, trigger } = start()
  world.ask('webhook.update', { ...ids, change: { deviceId } })
  const pinnedOf = (id: string | undefined) =>
    world.database.prepare('SELECT device_id, pinned FROM message WHERE id = ?').get(id ?? '')
  assert.deepEqual({ ...pinnedOf(trigger().messages[0]?.messageId) }, { device_id: deviceId, pinned: 1 })
  pair()
  world.ask('device.remove', { accountId, deviceId })
  assert.equal(pinnedOf(trigger().messages[0]?.messageId)?.['pinned'], 0)
})

test('a rotated token, and one of a disabled or removed webhook, are refused', () => {
  const { world, ids, triggerAt, trigger, rotate, token } = start()
  rotate()
  assert.equal(refusal(() => triggerAt(token, 'x')).code, 'NOT_FOUND')
  world.ask('webhook.update', { ...ids, change: { enabled: false } })
  assert.equal(refusal(() => trigger()).code, 'NOT_FOUND')
  world.ask('webhook.update', { ...ids, change: { enabled: true } })
  trigger()
  world.ask('webhook.remove', ids)
  assert.equal(refusal(() => trigger()).code, 'NOT_FOUND')
})
