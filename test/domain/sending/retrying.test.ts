import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OUTCOME_UNKNOWN_MS, RETRY_DELAYS_MS } from '#contracts/bounds.ts'
import { ATTEMPTS_MAX } from '#domain/message/lifecycle.ts'
import { BRAKE_GOES_MAX } from '#domain/sending/start-sending.ts'
import { endOf, openWorld } from '#test/kit/test-phone.ts'
import { OFFLINE_AFTER_MS } from '#test/kit/world.ts'

function withPhones(count = 1) {
  const gateway = openWorld(count)
  const [a, b] = gateway.phones
  assert.ok(a)
  a.connect()
  return { ...gateway, a, b: b ?? a }
}

test('a temporary failure is tried again after its delay, five times in all', () => {
  const { world, a, send, stored } = withPhones()
  const id = send()
  for (let attempt = 1; attempt < ATTEMPTS_MAX; attempt++) {
    assert.equal(a.received().includes(`offer/${attempt}`), true)
    a.begin(id, attempt)
    a.report(id, 'failed', { attempt, code: 'NO_SERVICE' })
    a.received()
    const delayMs = RETRY_DELAYS_MS[attempt - 1] ?? 0
    world.advance(delayMs - 1)
    assert.deepEqual(a.received(), [])
    world.advance(1)
  }
  a.begin(id, ATTEMPTS_MAX)
  a.report(id, 'failed', { attempt: ATTEMPTS_MAX, code: 'NO_SERVICE' })
  assert.equal(endOf(stored(id)), 'NO_SERVICE')
  assert.equal(stored(id).timeline.filter(({ status }) => status === 'sending').length, ATTEMPTS_MAX)
})

test('another phone is preferred after a temporary failure', () => {
  const { world, a, b, send, stored } = withPhones(2)
  const id = send()
  a.begin(id)
  b.connect()
  a.report(id, 'failed', { code: 'RADIO_OFF' })
  assert.equal(stored(id).deviceId, a.deviceId, 'the phone that got the go')
  a.received()
  world.advance(RETRY_DELAYS_MS[0] ?? 0)
  assert.deepEqual([a.received(), b.received()], [[], ['offer/2']])
  b.begin(id, 2)
  assert.equal(stored(id).deviceId, b.deviceId)
})

test('a pinned message is tried again only on its phone', () => {
  const { world, a, b, send } = withPhones(2)
  const id = send({ deviceId: a.deviceId })
  b.connect()
  a.begin(id)
  a.report(id, 'failed', { code: 'RADIO_OFF' })
  a.received()
  world.advance(RETRY_DELAYS_MS[0] ?? 0)
  assert.deepEqual([a.received(), b.received()], [['offer/2'], []])
})

test('a retry goes to another phone if its phone has gone, even to one abroad', () => {
  const { world, accountId, phones, send } = openWorld(2)
  const [a, b] = phones
  assert.ok(a && b && accountId)
  a.connect({ country: 'US' })
  const id = send({ country: 'US' })
  for (const attempt of [1, 2, 3]) {
    a.begin(id, attempt)
    a.report(id, 'failed', { attempt, code: 'NO_SERVICE' })
    if (attempt < 3) world.advance(RETRY_DELAYS_MS[attempt - 1] ?? 0)
  }
  a.close()
  b.connect({ country: 'DE' })
  world.advance(RETRY_DELAYS_MS[2] ?? 0)
  assert.deepEqual(b.offered(), [id])
})

test('a report that repeats after the retry was queued changes nothing', () => {
  const { world, a, send, stored } = withPhones()
  const id = send()
  a.begin(id)
  for (let i = 0; i < 3; i++) a.report(id, 'failed', { code: 'RADIO_OFF' })
  world.advance(RETRY_DELAYS_MS[0] ?? 0)
  a.begin(id, 2)
  a.report(id, 'failed', { code: 'RADIO_OFF' })
  assert.equal(endOf(stored(id)), 'sending')
  assert.equal(stored(id).attempt, 2)
})

/** A phone's journal that proves that the attempt was not started. */
function proof(messageId: string, attempt: number) {
  return [{ messageId, attempt, state: 'accepted', code: null } as const]
}

test('a fourth go within ten minutes stops the message and is logged as an error', () => {
  const { world, a, send, stored } = withPhones()
  const id = send()
  for (let attempt = 1; attempt <= BRAKE_GOES_MAX; attempt++) {
    a.begin(id, attempt)
    a.connect({ journal: proof(id, attempt) })
  }
  a.begin(id, BRAKE_GOES_MAX + 1)
  assert.deepEqual(a.received(), ['cancel', `no/${BRAKE_GOES_MAX + 1}`])
  assert.equal(endOf(stored(id)), 'RETRY_BRAKE')
  assert.equal(
    world.effects.some(
      effect =>
        effect.kind === 'log' && effect.event === 'message.retry_brake' && effect.fields['messageId'] === id,
    ),
    true,
  )
})

test('a go of an earlier process, or of a failed commit, does not count towards the retry brake', () => {
  const { world, a, send, stored } = withPhones()
  const id = send()
  for (let attempt = 1; attempt <= 2 * BRAKE_GOES_MAX; attempt++) {
    a.begin(id, attempt)
    world.restart()
    a.connect({ journal: proof(id, attempt) })
  }
  const next = 2 * BRAKE_GOES_MAX + 1
  for (let i = 0; i < BRAKE_GOES_MAX; i++) {
    // Each transaction updates commit_count last.
    world.database.exec(
      "CREATE TRIGGER full BEFORE UPDATE ON commit_count BEGIN SELECT RAISE(ABORT, 'full'); END",
    )
    assert.throws(() => a.begin(id, next))
    world.database.exec('DROP TRIGGER full')
    a.connect()
  }
  a.begin(id, next)
  assert.deepEqual(a.received(), [`go/${next}`])
  a.report(id, 'sent', { attempt: next })
  assert.equal(endOf(stored(id)), 'sent')
})

test('a go before a failed transaction still counts towards the retry brake', () => {
  const { world, a, send, stored } = withPhones()
  const id = send()
  for (let attempt = 1; attempt <= BRAKE_GOES_MAX; attempt++) {
    a.begin(id, attempt)
    a.connect({ journal: proof(id, attempt) })
  }
  world.database.exec("CREATE TRIGGER full BEFORE UPDATE ON device BEGIN SELECT RAISE(ABORT, 'full'); END")
  assert.throws(() => a.connect({ country: 'FR' }))
  world.database.exec('DROP TRIGGER full')
  a.connect()
  a.begin(id, BRAKE_GOES_MAX + 1)
  assert.equal(endOf(stored(id)), 'RETRY_BRAKE')
})

test('without a report the outcome is unknown after 15 minutes, and a late report corrects it', () => {
  const { world, a, send, stored } = withPhones()
  const [sent, delivered] = [send(), send()]
  for (const id of [sent, delivered]) a.begin(id)
  world.advance(OUTCOME_UNKNOWN_MS - 1)
  assert.equal(endOf(stored(sent)), 'sending')
  world.advance(1)
  assert.equal(endOf(stored(sent)), 'OUTCOME_UNKNOWN')
  a.connect()
  a.report(sent, 'failed', { code: 'RADIO_OFF' })
  assert.equal(endOf(stored(sent)), 'OUTCOME_UNKNOWN')
  a.report(sent, 'sent')
  a.report(delivered, 'delivered')
  assert.deepEqual([endOf(stored(sent)), endOf(stored(delivered))], ['sent', 'delivered'])
  a.report(delivered, 'sent')
  assert.equal(endOf(stored(delivered)), 'delivered')
})

test('while the phone is away the outcome stays open; the 15 minutes count from its return', () => {
  const { world, a, send, stored } = withPhones()
  const id = send()
  a.begin(id)
  a.close()
  world.advance(2 * OUTCOME_UNKNOWN_MS)
  assert.equal(endOf(stored(id)), 'sending')
  a.connect()
  world.advance(OUTCOME_UNKNOWN_MS - 1)
  assert.equal(endOf(stored(id)), 'sending')
  world.advance(1)
  assert.equal(endOf(stored(id)), 'OUTCOME_UNKNOWN')
})

test('if the phone never returns, the outcome is unknown 15 minutes after the time to live', () => {
  const { world, a, send, stored } = withPhones()
  const id = send({ ttlMs: 3_600_000 })
  a.begin(id)
  a.close()
  world.advance(3_600_000 + OUTCOME_UNKNOWN_MS - 1)
  assert.equal(endOf(stored(id)), 'sending')
  world.advance(1)
  assert.equal(endOf(stored(id)), 'OUTCOME_UNKNOWN')
})

test('a message reported as uncertain ends as unknown and is not sent again', () => {
  const { world, a, send, stored } = withPhones()
  const id = send()
  a.begin(id)
  a.connect({ journal: [{ messageId: id, attempt: 1, state: 'uncertain', code: null }] })
  world.advance(3_600_000)
  assert.equal(endOf(stored(id)), 'OUTCOME_UNKNOWN')
  assert.deepEqual(a.received(), [])
})

test('a late report after the time to live counts, even if the message was queued again', () => {
  for (const restarts of [false, true]) {
    const { world, a, b, send, stored } = withPhones(2)
    const [sent, lied] = [send({ ttlMs: 60_000 }), send({ ttlMs: 60_000 })]
    for (const id of [sent, lied]) {
      a.begin(id)
      a.report(id, 'failed', { code: 'NO_SERVICE' })
    }
    a.close()
    b.connect()
    world.advance(59_000)
    if (restarts) world.restart()
    world.advance(1_000)
    a.connect({ journal: [{ messageId: sent, attempt: 1, state: 'sent', code: null }] })
    b.connect({ journal: [{ messageId: lied, attempt: 1, state: 'sent', code: null }] })
    assert.deepEqual([endOf(stored(sent)), endOf(stored(lied))], ['sent', 'EXPIRED'])
    assert.equal(stored(sent).deviceId, a.deviceId)
    a.report(lied, 'delivered')
    assert.equal(endOf(stored(lied)), 'delivered')
  }
})

test('after a restart a retry does not wait for a phone that was away before it', () => {
  const { world, a, b, send } = withPhones(2)
  const id = send({ country: 'US' })
  a.begin(id)
  a.connect({ country: 'US', journal: [{ messageId: id, attempt: 1, state: 'accepted', code: null }] })
  a.close()
  world.advance(OFFLINE_AFTER_MS)
  world.restart()
  const newer = send({ country: 'US' })
  b.hello('DE')
  b.sync()
  assert.deepEqual(b.offered(), [id, newer])
})

test('a delivery report that arrives before the sent report counts as both', () => {
  const { a, send, stored } = withPhones()
  const id = send()
  a.begin(id)
  for (const state of ['delivered', 'sent', 'delivered'] as const) a.report(id, state)
  const { timeline, sentAt, deliveredAt } = stored(id)
  assert.deepEqual(
    timeline.map(({ status }) => status),
    ['queued', 'sending', 'sent', 'delivered'],
  )
  assert.equal(sentAt, deliveredAt)
})
