import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OWNER_EMAIL } from '#domain/account/first-start.ts'
import { SETUP_TOKEN_VALID_MS } from '#domain/account/owner-setup.ts'
import { TestWorld } from '#test/kit/world.ts'

const LOGIN = { email: 'ann@example.org', passwordHash: '$scrypt$…' }

function started() {
  const world = new TestWorld()
  const owner = world.ask('gateway.first-start', {})
  assert.ok(owner)
  const setup = world.ask('setup.create-token', {})
  assert.ok(setup)
  return { world, owner, setup }
}

test('a setup token sets the e-mail address and password of the owner once', () => {
  const { world, owner, setup } = started()
  const account = world.ask('setup.complete', { token: setup.token, ...LOGIN })
  assert.deepEqual([account.accountId, account.email], [owner.accountId, LOGIN.email])
  assert.throws(() => world.ask('setup.complete', { token: setup.token, ...LOGIN }), { code: 'NOT_FOUND' })
  assert.equal(world.ask('setup.create-token', {}), null)
})

test('a setup token lives for a day, and only its hash is stored', () => {
  const { world, setup } = started()
  const row = world.database.prepare('SELECT * FROM setup_token').get()
  assert.ok(!Buffer.from(row?.['hash'] as Uint8Array).includes(setup.token))
  world.advance(SETUP_TOKEN_VALID_MS)
  assert.throws(() => world.ask('setup.complete', { token: setup.token, ...LOGIN }), { code: 'NOT_FOUND' })
})

test('a newer setup token, or a password set in another way, voids the older token', () => {
  const { world, setup } = started()
  const newer = world.ask('setup.create-token', {})
  assert.ok(newer)
  assert.throws(() => world.ask('setup.complete', { token: setup.token, ...LOGIN }), { code: 'NOT_FOUND' })
  world.ask('account.set-password', { email: OWNER_EMAIL, passwordHash: '$scrypt$…' })
  assert.throws(() => world.ask('setup.complete', { token: newer.token, ...LOGIN }), { code: 'NOT_FOUND' })
})

test('an e-mail address that another account has does not use up the token', () => {
  const { world, setup } = started()
  world.ask('account.create', { email: LOGIN.email, plan: 'free', passwordHash: null })
  const complete = () => world.ask('setup.complete', { token: setup.token, ...LOGIN })
  assert.throws(complete, { code: 'CONFLICT' })
  assert.equal(
    world.ask('setup.complete', { token: setup.token, ...LOGIN, email: 'x@example.org' }).email,
    'x@example.org',
  )
})
