import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeMessage } from '#domain/message/describe-message.ts'
import { openMessageReader } from '#storage/message-reader.ts'
import { CodeWorld, NUMBER } from '#test/kit/code-world.ts'
import { messageToAccept } from '#test/kit/messages.ts'

const idempotency = { scope: 'acc', key: 'k', bodyHash: 'bare-hash-of-the-body' }

test('a generated code has six digits, reaches the phone, and is nowhere else', () => {
  const world = new CodeWorld()
  world.connectPhone()
  world.issue({ test: false, code: null, validityMs: 120_000 })
  const [offer] = world.offers()
  assert.match(offer?.message ?? '', /^Your verification code is \d{6}$/)
  assert.equal(offer?.kind, '2fa')
  assert.equal(offer?.ttlMs, 120_000)
  const code = offer?.message.slice(-6) ?? ''
  assert.equal(world.dump().split(code).length - 1, 1, 'only in the text that will be sent')
  assert.ok(world.verify(code, { test: false }).verified)
})

test('the answer states when the code expires', () => {
  const world = new CodeWorld()
  const { answer } = world.issue({ validityMs: 30_000 })
  assert.deepEqual(answer, {
    messageId: answer.messageId,
    status: 'queued',
    phoneNumber: NUMBER,
    createdAt: '2026-01-15T12:00:00.000Z',
    expiresAt: '2026-01-15T12:00:30.000Z',
  })
})

test('a code is sent before all waiting messages', () => {
  const world = new CodeWorld()
  world.connectPhone()
  const sms = messageToAccept(world.accountId, { priority: 'high' })
  for (let i = 0; i < 10; i++) world.ask('message.accept', sms)
  const { answer } = world.issue({ test: false })
  const [first] = world.offers()
  world.sendFrame({ type: 'begin', messageId: first?.messageId ?? '', attempt: 1 })
  world.report(first?.messageId ?? '', 'sent')
  assert.equal(world.offers()[0]?.messageId, answer.messageId)
})

test('the text is masked wherever the API shows the message, before and after it is sent', () => {
  const world = new CodeWorld()
  world.connectPhone()
  const { answer } = world.issue({ test: false, template: '4711! {code}, again {code}; 14711' })
  const masked = '****! ****, again ****; 1****'
  const reader = openMessageReader(world.database)
  const shown = () => {
    const which = { status: null, deviceId: null, phoneNumber: null, kind: null, webhookId: null }
    const filter = {
      ...which,
      reason: null,
      failedSince: null,
      search: null,
      since: null,
      until: null,
      before: null,
    }
    const page = reader.list({ ...filter, accountId: world.accountId, test: false, limit: 1 })
    const one = reader.find(world.accountId, false, answer.messageId)
    return [...page.messages, ...(one === undefined ? [] : [one])].map(
      message => describeMessage(message, reader.isPretend).message,
    )
  }
  assert.deepEqual(shown(), [masked, masked])
  assert.equal(world.offers()[0]?.message, '4711! 4711, again 4711; 14711')
  world.sendFrame({ type: 'begin', messageId: answer.messageId, attempt: 1 })
  assert.deepEqual(shown(), [masked, masked])
  world.report(answer.messageId, 'sent')
  assert.deepEqual(shown(), [masked, masked])
})

test('the answer to cancelling masks the code', () => {
  const world = new CodeWorld()
  const { answer } = world.issue({ phoneNumber: '+15005550003' })
  const which = { accountId: world.accountId, test: true, messageId: answer.messageId }
  assert.equal(world.ask('message.cancel', which).message, 'Your verification code is ****')
})

/** Ways to end a live message that a phone was offered. */
const ENDS: Readonly<Record<string, (world: CodeWorld, messageId: string) => void>> = {
  delivered: (world, messageId) => {
    world.sendFrame({ type: 'begin', messageId, attempt: 1 })
    world.report(messageId, 'delivered')
  },
  sent: (world, messageId) => {
    world.sendFrame({ type: 'begin', messageId, attempt: 1 })
    world.report(messageId, 'sent')
  },
  'failed for good': (world, messageId) => {
    world.sendFrame({ type: 'begin', messageId, attempt: 1 })
    world.report(messageId, 'failed', 'GENERIC_FAILURE')
  },
  expired: world => world.advance(300_000),
  cancelled: (world, messageId) => {
    world.ask('message.cancel', { accountId: world.accountId, test: false, messageId })
  },
  superseded: world => {
    world.issue({ test: false, code: '9999' })
  },
  'without an outcome': (world, messageId) => {
    world.sendFrame({ type: 'begin', messageId, attempt: 1 })
    world.advance(300_000 + 900_000)
  },
}

for (const [how, end] of Object.entries(ENDS))
  test(`the text of a message that is ${how} is wiped from the database`, () => {
    const world = new CodeWorld()
    world.connectPhone()
    const { answer } = world.issue({ test: false, code: 'Sesame7' })
    assert.ok(world.dump().includes('Sesame7'))
    end(world, answer.messageId)
    assert.notEqual(world.status(answer.messageId), 'queued')
    assert.notEqual(world.status(answer.messageId), 'sending')
    assert.ok(!world.dump().includes('Sesame7'))
  })

test('the text of a sandbox message is wiped as well', () => {
  const world = new CodeWorld()
  world.issue({ code: 'Sesame7' })
  assert.ok(world.dump().includes('Sesame7'))
  world.advance(2000)
  assert.ok(!world.dump().includes('Sesame7'))
})

test("a code's text is kept while a temporary failure is retried", () => {
  const world = new CodeWorld()
  world.connectPhone()
  const { answer } = world.issue({ test: false })
  world.offers()
  world.sendFrame({ type: 'begin', messageId: answer.messageId, attempt: 1 })
  world.report(answer.messageId, 'failed', 'NO_SERVICE')
  world.advance(2000)
  assert.equal(world.offers()[0]?.message, 'Your verification code is 4711')
})

test('a newer code for the number cancels the older message unless a phone was told to send it', () => {
  const world = new CodeWorld()
  world.connectPhone()
  const { answer: first } = world.issue({ test: false })
  const { answer: second } = world.issue({ test: false })
  assert.equal(world.status(first.messageId), 'failed')
  world.sendFrame({ type: 'begin', messageId: second.messageId, attempt: 1 })
  world.issue({ test: false })
  assert.equal(world.status(second.messageId), 'sending')
})

test('codes of other numbers, accounts and modes do not change', () => {
  const world = new CodeWorld()
  world.connectPhone()
  const { accountId } = world.ask('account.create', { email: 'b@c.d', plan: 'pro', passwordHash: null })
  world.issue({ code: 'mode1' })
  world.issue({ code: 'mode2', test: false })
  world.issue({ code: 'number', phoneNumber: '+14155550124' })
  world.issue({ code: 'account', accountId })
  assert.ok(world.verify('mode1').verified)
  assert.ok(world.verify('mode2', { test: false }).verified)
  assert.ok(world.verify('number', { by: { phoneNumber: '+14155550124' } }).verified)
  assert.ok(world.verify('account', { accountId }).verified)
})

test('of fifty simultaneous codes with ten left, ten pass, apart from text messages', () => {
  const world = new CodeWorld()
  world.connectPhone()
  world.ask('account.set-plan', { email: world.ask('account.list', {})[0]?.email ?? '', plan: 'free' })
  for (let i = 0; i < 10; i++) world.issue({ test: false, phoneNumber: `+1415555${2000 + i}` })
  for (let i = 0; i < 5; i++) world.issue()
  const calls = Array.from({ length: 50 }, (_, id) => {
    const input = world.request({ test: false, phoneNumber: `+1415555${1000 + id}` })
    return { id, name: 'two-factor.issue' as const, input }
  })
  const { answers } = world.batch.run(calls)
  assert.equal(answers.filter(({ ok }) => ok).length, 10)
  const refused = answers.find(answer => !answer.ok)
  assert.ok(refused?.ok === false)
  assert.equal(refused.problem.code, 'RATE_LIMIT_EXCEEDED')
  assert.deepEqual(
    { ...refused.problem.details, retryAfterS: 0 },
    { limit: 20, used: 20, resetAt: '2026-01-16T00:00:00.000Z', retryAfterS: 0 },
  )
  assert.equal(world.column('SELECT two_factor FROM usage_quarter'), 20)
  assert.equal(world.column('SELECT accepted - two_factor FROM usage_quarter'), 0)
  assert.equal(world.column('SELECT count(*) FROM two_factor WHERE test = 0'), 20)
})

test('a code is refused when no phone is connected, and counts nothing', () => {
  const world = new CodeWorld()
  assert.throws(() => world.issue({ test: false }), { code: 'NO_DEVICE_AVAILABLE' })
  world.connectPhone()
  assert.throws(() => world.issue({ test: false, deviceId: 'dev_other' }), { code: 'NOT_FOUND' })
  assert.throws(() => world.issue({ phoneNumber: '+15005550004' }), { code: 'NO_DEVICE_AVAILABLE' })
  world.losePhone()
  assert.throws(() => world.issue({ test: false, deviceId: world.deviceId }), { code: 'NO_DEVICE_AVAILABLE' })
  assert.equal(world.column('SELECT count(*) FROM two_factor'), 0)
  assert.equal(world.column('SELECT count(*) FROM usage_quarter'), 0)
})

test('a refused code leaves the older one valid', () => {
  const world = new CodeWorld()
  world.connectPhone()
  world.issue({ test: false })
  world.losePhone()
  assert.throws(() => world.issue({ test: false, code: '9999' }), { code: 'NO_DEVICE_AVAILABLE' })
  assert.ok(world.verify('4711', { test: false }).verified)
})

test('a generated sandbox code is 123456, is delivered in simulation, and uses no quota', () => {
  const world = new CodeWorld()
  const { answer } = world.issue({ code: null })
  world.advance(2000)
  assert.equal(world.status(answer.messageId), 'delivered')
  assert.equal(world.column('SELECT count(*) FROM usage_quarter'), 0)
  assert.ok(world.verify('123456').verified)
})

test('a repeated request gives the first answer, also after a restart, and sends nothing', () => {
  const world = new CodeWorld()
  world.connectPhone()
  const { answer } = world.issue({ test: false, code: null, idempotency })
  const again = world.issue({ test: false, code: null, idempotency })
  assert.deepEqual(again, { answer, replayed: true })
  world.restart()
  assert.deepEqual(world.issue({ test: false, code: null, idempotency }), { answer, replayed: true })
  assert.equal(world.column('SELECT count(*) FROM message'), 1)
  assert.equal(world.column('SELECT two_factor FROM usage_quarter'), 1)
  assert.throws(() => world.issue({ test: false, idempotency: { ...idempotency, bodyHash: 'other' } }), {
    code: 'IDEMPOTENCY_MISMATCH',
  })
})

test('the database has no bare hash of a body that may contain a code', () => {
  const world = new CodeWorld()
  world.issue({ idempotency })
  assert.ok(!world.dump().includes(idempotency.bodyHash))
})

test('a sandbox message that stays queued stays so over a restart', () => {
  const world = new CodeWorld()
  const { answer } = world.issue({ phoneNumber: '+15005550003' })
  world.restart()
  world.advance(10_000)
  assert.equal(world.status(answer.messageId), 'queued')
})

test('a number gets five codes in ten minutes; then the refusal says when to try again', () => {
  const world = new CodeWorld()
  world.connectPhone()
  const issue = (phoneNumber = NUMBER) => world.issue({ test: false, code: null, phoneNumber })
  for (let i = 0; i < 5; i += 1) {
    issue()
    world.advance(1000)
  }
  const first = world.wallMs - 5000
  const details = { limit: 5, used: 5, resetAt: new Date(first + 600_000).toISOString(), retryAfterS: 595 }
  assert.throws(() => issue(), { code: 'RATE_LIMIT_EXCEEDED', details })
  issue('+14155550124')
  for (let i = 0; i < 6; i += 1) world.issue()
  world.advance(595_000)
  issue()
  assert.throws(() => issue(), { code: 'RATE_LIMIT_EXCEEDED' })
})
