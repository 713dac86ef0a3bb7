import assert from 'node:assert/strict'
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { decodeJwt, SignJWT } from 'jose'
import { issueAccountToken, verifyAccountToken } from '#app/auth/account-token.ts'
import { loadSecret } from '#storage/secret-file.ts'
import { temporaryDirectory } from '#test/kit/temporary-directory.ts'

const key = new Uint8Array(32).fill(7)
const nowMs = Date.UTC(2026, 0, 15, 12)
const request = { accountId: 'acc_1', userId: 'usr_2', version: 3, ttlS: 60, key, nowMs }

test('a token names its account until it expires, and no two tokens are equal', async () => {
  const { token, expiresAt } = await issueAccountToken(request)
  assert.equal(expiresAt, nowMs + 60_000)
  const { iss, aud, sub, iat, exp, jti } = decodeJwt(token)
  assert.deepEqual(
    [iss, aud, sub, iat, exp],
    ['roost', 'roost-api', 'acc_1', nowMs / 1000, nowMs / 1000 + 60],
  )
  assert.deepEqual(verifyAccountToken(token, key, nowMs), {
    accountId: 'acc_1',
    userId: 'usr_2',
    jti,
    version: 3,
    expiresAt,
  })
  assert.equal(verifyAccountToken(token, key, nowMs + 60_000), null)
  assert.notEqual((await issueAccountToken(request)).token, token)
})

test('only tokens of this gateway, for this use and with this algorithm are accepted', async () => {
  const make = (change: { alg?: string; iss?: string; aud?: string; jti?: string | null; ver?: unknown }) => {
    const { alg = 'HS256', iss = 'roost', aud = 'roost-api', jti = 'x', ver = 0 } = change
    const jwt = new SignJWT(jti === null ? { ver } : { jti, ver }).setProtectedHeader({ alg })
    const named = jwt.setIssuer(iss).setAudience(aud).setSubject('acc_1')
    return named.setExpirationTime(nowMs / 1000 + 60).sign(new Uint8Array(64).fill(7))
  }
  const longKey = new Uint8Array(64).fill(7)
  const verified = async (token: string) => verifyAccountToken(token, longKey, nowMs)?.accountId
  assert.equal(await verified(await make({})), 'acc_1')
  // A token from before there were users.
  assert.equal(verifyAccountToken(await make({}), longKey, nowMs)?.userId, 'usr_1')
  for (const change of [
    { alg: 'HS512' },
    { iss: 'other' },
    { aud: 'other' },
    { jti: null },
    { ver: '0' },
    { ver: null },
  ])
    assert.equal(await verified(await make(change)), undefined, JSON.stringify(change))
  const [, payload] = (await make({})).split('.')
  const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`
  for (const token of [none, '', 'a.b.c', `${await make({})}x`])
    assert.equal(await verified(token), undefined, token)
})

test('the key file is created once, is readable only by its owner, and leaves no temporary file', t => {
  const path = join(temporaryDirectory(t), 'secrets', 'jwt-key')
  const made = loadSecret(path)
  assert.equal(made.length, 32)
  assert.deepEqual(loadSecret(path), made)
  assert.equal(statSync(path).mode & 0o777, 0o600)
  assert.equal(statSync(dirname(path)).mode & 0o777, 0o700)
  assert.deepEqual(readdirSync(dirname(path)), ['jwt-key'])
})

test('a truncated key file is refused, not replaced', t => {
  const path = join(temporaryDirectory(t), 'jwt-key')
  writeFileSync(path, 'short')
  assert.throws(() => loadSecret(path), /must have 32 bytes/)
  assert.equal(statSync(path).size, 5)
})
