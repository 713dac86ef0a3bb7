import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CommandCall } from '#contracts/commands.ts'
import { DAY_MS } from '#domain/time.ts'
import { openAuditReader } from '#storage/audit-store.ts'
import { CodeWorld, NUMBER } from '#test/kit/code-world.ts'
import { messageToAccept } from '#test/kit/messages.ts'

const HOUR_MS = 3_600_000

function opened() {
  const world = new CodeWorld()
  const { accountId } = world
  const invited = world.ask('user.invite', { accountId, email: 'ada@example.org', role: 'operator' })
  const { userId } = world.ask('invitation.take', { token: invited.token, passwordHash: 'x' })
  const read = openAuditReader(world.database)
  const entries = () => read({ accountId, since: 0, before: null, limit: 1000 })
  const run = (...calls: Omit<CommandCall, 'id'>[]) =>
    world.batch.run(calls.map((call, id) => ({ ...call, id }) as CommandCall)).answers
  return { world, accountId, userId, entries, run }
}

function personOf(accountId: string, phoneNumber = NUMBER) {
  const fields = { name: 'Ada', phoneNumber, country: 'US', timeZone: null, quiet: null }
  return { name: 'person.create', input: { accountId, fields } } as const
}

test('what the gateway, a phone or a sender does is not in the list', () => {
  const { accountId, entries, run } = opened()
  assert.ok(run(personOf(accountId))[0]?.ok)
  assert.deepEqual(entries(), [])
})

test('a code that a user sends is in the list with its message, one of a key is not', () => {
  const { world, userId, entries, run } = opened()
  const call = { name: 'two-factor.issue', input: world.request() } as const
  const [byUser, byKey] = run({ ...call, by: userId }, { ...call, by: 'key_1' })
  assert.ok(byUser?.ok && byKey?.ok)
  const { answer } = byUser.output as { answer: { messageId: string } }
  assert.deepEqual(
    entries().map(({ who, what, which }) => [who, what, which]),
    [[userId, 'two-factor.issue', answer.messageId]],
  )
})

test('an entry is written with its change, or neither is', () => {
  const { accountId, userId, entries, run } = opened()
  const fault = { name: 'person.create', input: null, by: userId } as unknown as CommandCall
  const [made, failed] = run({ ...personOf(accountId), by: userId }, fault)
  assert.ok(made?.ok && !failed?.ok)
  assert.equal(entries().length, 1)
  const [refused] = run({ ...personOf(accountId), by: userId })
  assert.ok(refused && !refused.ok && refused.problem.code === 'CONFLICT')
  assert.equal(entries().length, 1)
})

test('a command of a user who was disabled or removed meanwhile is refused', () => {
  for (const end of ['user.update', 'user.remove'] as const) {
    const { world, accountId, userId, run } = opened()
    const message = messageToAccept(accountId, { test: true })
    world.ask(end, { accountId, userId, change: { disabled: true } })
    const answers = run(
      { ...personOf(accountId), by: userId },
      { name: 'message.accept', input: message, by: userId },
    )
    for (const answer of answers) assert.ok(!answer.ok && answer.problem.code === 'UNAUTHORIZED')
  }
})

test('entries are kept for 400 days', () => {
  const { world, accountId, userId, entries, run } = opened()
  run({ ...personOf(accountId), by: userId })
  const pass = (ms: number) => {
    world.wallMs += ms
    world.ask('clock.confirm', {})
    world.advance(HOUR_MS)
  }
  pass(400 * DAY_MS - 2 * HOUR_MS)
  assert.equal(entries().length, 1)
  pass(2 * HOUR_MS)
  assert.equal(entries().length, 0)
})

test('an account hears twenty times an hour that an address has a login, then nothing of new ones', () => {
  const { world, accountId, userId } = opened()
  for (let count = 0; count < 21; count++)
    world.ask('account.create', { email: `u${count}@other.example.org`, plan: null, passwordHash: null })
  const invite = (email: string) => () => world.ask('user.invite', { accountId, email, role: 'viewer' })
  for (let count = 0; count < 20; count++)
    assert.throws(invite(`u${count}@other.example.org`), { code: 'CONFLICT' })
  for (const email of ['u20@other.example.org', 'free@example.org'])
    assert.throws(invite(email), { code: 'RATE_LIMIT_EXCEEDED' }, 'both look the same')
  const change = { accountId, userId, sessionId: null, tokenVersion: 0, passwordHash: null }
  assert.throws(() => world.ask('account.change', { ...change, email: 'free@example.org' }), {
    code: 'RATE_LIMIT_EXCEEDED',
  })
  world.advance(HOUR_MS + 1)
  assert.throws(invite('u20@other.example.org'), { code: 'CONFLICT' })
  invite('free@example.org')()
})

test('what only looks, such as a login or an export, is in the list by its own name', () => {
  const { accountId, userId, entries, run } = opened()
  const note = { name: 'audit.note', input: { accountId, what: 'table.export' } } as const
  assert.ok(run({ ...note, by: userId })[0]?.ok)
  assert.deepEqual(
    entries().map(({ who, what, which }) => [who, what, which]),
    [[userId, 'table.export', null]],
  )
})
