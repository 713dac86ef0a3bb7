import assert from 'node:assert/strict'
import { test } from 'node:test'
import { issueAccountToken, verifyAccountToken } from '#app/auth/account-token.ts'
import { keyTokens } from '#app/auth/key-token.ts'
import { signWebToken } from '#app/auth/web-token.ts'
import { chainOf } from '#domain/account/key-tokens.ts'

const key = new Uint8Array(32).fill(7)
const start = Date.UTC(2026, 0, 15, 12)
const chain = '0d3c2a56-8f1b-4c7e-9a64-5b1e2f3a4d5c'
const request = { keyId: 'key_1', chain, scopes: ['messages:send'], ttlS: 60 }

test('a key token names its key and its scopes until it ends', async () => {
  let nowMs = start
  const tokens = keyTokens(key, () => nowMs)
  const { token, jti, expiresAt } = await tokens.issue(request)
  assert.equal(expiresAt, start + 60_000)
  assert.deepEqual(await tokens.verify(token), {
    ...{ keyId: 'key_1', chain, scopes: ['messages:send'], jti, expiresAt },
  })
  assert.equal(chainOf(jti), chain)
  const renews = { scopes: ['messages:send'], step: 0 }
  const refresh = await tokens.issue({ ...request, scopes: ['tokens:refresh'], renews })
  assert.deepEqual((await tokens.verify(refresh.token))?.renews, renews)
  nowMs = expiresAt - 1
  assert.notEqual(await tokens.verify(token), null)
  nowMs = expiresAt
  assert.equal(await tokens.verify(token), null)
})

test('neither token works as the other kind, and a token signed with another key is refused', async () => {
  const tokens = keyTokens(key, () => start)
  const { token } = await tokens.issue(request)
  assert.equal(verifyAccountToken(token, key, start), null)
  const account = await issueAccountToken({
    accountId: 'acc_1',
    userId: 'usr_1',
    version: 0,
    ttlS: 60,
    key,
    nowMs: start,
  })
  assert.equal(await tokens.verify(account.token), null)
  assert.equal(await keyTokens(new Uint8Array(32).fill(8), () => start).verify(token), null)
  const signed = { audience: 'roost-smsgate', subject: 'key_1', ttlS: 60, key, nowMs: start }
  for (const claims of [{}, { scopes: 'messages:send' }, { scopes: ['x'.repeat(4096)] }])
    assert.equal(await tokens.verify((await signWebToken({ ...signed, claims })).token), null)
  const jti = 'of-no-chain'
  assert.equal(
    await tokens.verify((await signWebToken({ ...signed, jti, claims: { scopes: [] } })).token),
    null,
  )
  for (const wrong of ['', 'a.b.c', `${token}x`]) assert.equal(await tokens.verify(wrong), null)
})
