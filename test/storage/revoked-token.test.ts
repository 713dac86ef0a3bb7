import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstUserId } from '#domain/account/user.ts'
import { openPrincipalReader } from '#storage/principal-reader.ts'
import { TestWorld } from '#test/kit/world.ts'

const YEAR_MS = 366 * 86_400_000

test('a revoked token stays revoked when the clock jumps ahead and back', () => {
  const world = new TestWorld()
  const accountId = world.ask('gateway.first-start', {})?.accountId ?? ''
  const revoke = (jti: string) =>
    world.ask('account.revoke-token', { jti, expiresAt: world.wallMs + 43_200_000 })
  revoke('a')
  world.wallMs += YEAR_MS
  revoke('b')
  world.wallMs -= YEAR_MS
  const token = {
    accountId,
    userId: firstUserId(accountId),
    version: 0,
    jti: 'a',
    expiresAt: world.wallMs + 43_200_000,
  }
  assert.equal(openPrincipalReader(world.database).byToken(token), undefined)
})
