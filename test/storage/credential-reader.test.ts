import assert from 'node:assert/strict'
import { test } from 'node:test'
import { REVOKED_KEPT_MS } from '#domain/account/manage-account.ts'
import { firstUserId } from '#domain/account/user.ts'
import { openCredentialReader } from '#storage/credential-store.ts'
import { openPrincipalReader } from '#storage/principal-reader.ts'
import { TestWorld } from '#test/kit/world.ts'

function opened() {
  const world = new TestWorld()
  const owner = world.ask('gateway.first-start', {})
  assert.ok(owner)
  return { world, accountId: owner.accountId, reader: openCredentialReader(world.database) }
}

test('a revoked token is refused, and its row stays when the clock jumps', () => {
  const { world, accountId } = opened()
  const principals = openPrincipalReader(world.database)
  const token = {
    accountId,
    userId: firstUserId(accountId),
    jti: 'one',
    version: 0,
    expiresAt: world.wallMs + 1000,
  }
  assert.equal(principals.byToken(token)?.accountId, accountId)
  world.ask('account.revoke-token', { jti: 'one', expiresAt: token.expiresAt })
  world.ask('account.revoke-token', { jti: 'one', expiresAt: token.expiresAt })
  assert.equal(principals.byToken(token), undefined)
  assert.equal(principals.byToken({ ...token, jti: 'two' })?.accountId, accountId)
  const kept = () =>
    world.database
      .prepare('SELECT jti FROM revoked_token')
      .all()
      .map(row => row['jti'])
  world.advance(1001)
  world.ask('account.revoke-token', { jti: 'two', expiresAt: world.wallMs + 1000 })
  assert.deepEqual(kept(), ['one', 'two'])
  world.wallMs += REVOKED_KEPT_MS
  world.ask('account.revoke-token', { jti: 'three', expiresAt: world.wallMs + 1000 })
  assert.deepEqual(kept(), ['two', 'three'])
})
