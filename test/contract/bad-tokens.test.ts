import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { dataDirectory } from '#storage/data-directory.ts'
import { loadSecret } from '#storage/secret-file.ts'
import { badTokens } from '#test/kit/bad-tokens.ts'
import type { SharedGateway, TestAccount } from '#test/kit/gateway.ts'
import { sharedGateway } from '#test/kit/shared-gateway.ts'

let gateway: SharedGateway
let owner: TestAccount

beforeEach(async () => {
  gateway = await sharedGateway()
  owner = await gateway.newAccount()
})

/** Statuses and codes on a route that requires a token, and on one that also accepts keys. */
async function statusesOf(authorization: string): Promise<readonly (number | string | undefined)[]> {
  const answers = await Promise.all(
    ['/api/v1/keys', '/api/v1/account/usage'].map(path =>
      gateway.call('GET', path, { headers: { Authorization: authorization } }),
    ),
  )
  return answers.flatMap(({ status, json }) => [status, json?.error?.code])
}

const REFUSED = [401, 'UNAUTHORIZED', 401, 'UNAUTHORIZED']
const TAKEN = [200, undefined, 200, undefined]

test('a valid token is accepted, so each bad token is refused for its own fault', async () => {
  assert.deepEqual(await statusesOf(`Bearer ${owner.token}`), TAKEN)
  assert.deepEqual(await statusesOf(`bearer   ${owner.token}`), TAKEN)
})

test('every bad token is refused with 401, on a route for tokens and on one for keys', async () => {
  const key = loadSecret(dataDirectory(gateway.dataDir).jwtKey)
  const tokens = badTokens({ key, accountId: owner.accountId, good: owner.token })
  assert.ok(tokens.length >= 30)
  for (const [name, token] of tokens) assert.deepEqual(await statusesOf(`Bearer ${token}`), REFUSED, name)
})

test('a valid token in a malformed Authorization header is refused', async () => {
  for (const header of ['', 'Bearer', `Basic ${owner.token}`, owner.token, `Bearer ${owner.token},x`])
    assert.deepEqual(await statusesOf(header), REFUSED, header.slice(0, 12))
  const asKey = await gateway.call('GET', '/api/v1/account/usage', { key: owner.token })
  assert.equal(asKey.status, 401)
})

test('a logged-out token is refused, but not another token of the same account', async () => {
  const other = await gateway.tokenOf(owner.accountId)
  assert.equal((await gateway.call('POST', '/api/v1/auth/logout', { token: other })).status, 200)
  assert.deepEqual(await statusesOf(`Bearer ${other}`), REFUSED)
  assert.deepEqual(await statusesOf(`Bearer ${owner.token}`), TAKEN)
})
