import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import * as v from 'valibot'
import { FAILURES_PER_PAIR_PER_MINUTE } from '#app/auth/login-guard.ts'
import { AccountResource, LoginResource } from '#contracts/account.ts'
import { SETUP_FAILURES_PER_MINUTE } from '#contracts/bounds.ts'
import { OWNER_EMAIL } from '#domain/account/first-start.ts'
import { type SharedGateway, startGateway, type TestAccount, type TestGateway } from '#test/kit/gateway.ts'
import { nextLook } from '#test/kit/next-turn.ts'
import { quickPasswordHash } from '#test/kit/quick-password.ts'
import { sharedGateway } from '#test/kit/shared-gateway.ts'
import { temporaryDirectory } from '#test/kit/temporary-directory.ts'

const EMAIL = 'ann@example.org'
const PASSWORD = 'correct horse battery'

function setupTokenOf(gateway: SharedGateway): string {
  const [, token] = /\/#\/setup\/(stp_\w+)/.exec(gateway.printed.join('')) ?? []
  assert.ok(token, 'the start prints a setup link')
  return token
}

function logIn(gateway: SharedGateway, email: string, password: string, from = '192.0.2.1') {
  return gateway.call('POST', '/api/v1/auth/login', {
    json: { email, password },
    headers: { 'X-Forwarded-For': from },
  })
}

const config = { http: { anonymous_calls_per_minute: 6000, trusted_proxies: ['127.0.0.1'] } }

describe('the setup link', () => {
  let gateway: TestGateway
  before(async () => {
    gateway = await startGateway({ config })
  })
  after(() => gateway.stop())

  test('in its older form redirects to the console, by a relative address', async () => {
    const page = await gateway.call('GET', '/setup?token=stp_a%26b%22')
    assert.equal(page.status, 302)
    assert.equal(page.headers.get('location'), './#/setup/stp_a%26b%22')
    assert.equal(page.headers.get('cache-control'), 'no-store')
    assert.equal(page.headers.get('referrer-policy'), 'no-referrer')
    assert.equal((await gateway.call('GET', '/setup')).headers.get('location'), './')
  })

  test('that is wrong gets 404, and guessing is slowed down', async () => {
    const headers = { 'X-Forwarded-For': '198.51.100.7' }
    const json = { token: 'stp_wrong', email: EMAIL, password: PASSWORD }
    for (let tries = 0; tries < SETUP_FAILURES_PER_MINUTE; tries++)
      assert.equal((await gateway.call('POST', '/setup', { headers, json })).json?.error.code, 'NOT_FOUND')
    const slowed = await gateway.call('POST', '/setup', { headers, json })
    assert.equal(slowed.status, 429)
    assert.ok(Number(slowed.headers.get('retry-after')) > 0)
  })

  test('refuses a bad e-mail and a short password, names both, and stays open', async () => {
    const token = setupTokenOf(gateway)
    const json = { token, email: 'nobody', password: 'short' }
    const refused = await gateway.call('POST', '/setup', { json })
    assert.deepEqual(refused.json?.error.details?.issues?.map(({ path }) => path).sort(), [
      'email',
      'password',
    ])
    const text = await gateway.call('POST', '/setup', {
      headers: { 'Content-Type': 'text/plain' },
      body: 'x',
    })
    assert.equal(text.json?.error.code, 'UNSUPPORTED_MEDIA_TYPE')
  })

  test('refuses an e-mail that another account has', async () => {
    await gateway.ask('account.create', { email: 'taken@example.org', plan: 'free', passwordHash: null })
    const json = { token: setupTokenOf(gateway), email: 'taken@example.org', password: PASSWORD }
    assert.equal((await gateway.call('POST', '/setup', { json })).json?.error.code, 'CONFLICT')
  })

  test('works only once, even if it is used twice at the same time', async () => {
    const token = setupTokenOf(gateway)
    const { accountId } = await gateway.ask('account.find', { email: OWNER_EMAIL })
    const json = { token, email: ` ${EMAIL.toUpperCase()}`, password: PASSWORD }
    const paths = ['/setup', '/api/v1/setup'] as const
    const answers = await Promise.all(paths.map(path => gateway.call('POST', path, { json })))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 404])
    const account = v.parse(AccountResource, answers.find(({ status }) => status === 200)?.json?.data)
    assert.deepEqual({ accountId: account.accountId, email: account.email }, { accountId, email: EMAIL })
    assert.equal((await gateway.call('POST', '/setup', { json })).status, 404)
    assert.equal((await logIn(gateway, EMAIL, PASSWORD)).status, 200)
  })
})

test('each start prints a new setup link and voids the older one, until there is a password', async t => {
  const dataDir = temporaryDirectory(t)

  const one = await startGateway({ dataDir, config })
  const older = setupTokenOf(one)
  await one.stop()
  const two = await startGateway({ dataDir, config })
  const newer = setupTokenOf(two)
  const json = { token: newer, email: EMAIL, password: PASSWORD }
  assert.equal((await two.call('POST', '/setup', { json: { ...json, token: older } })).status, 404)
  // A password set on the command line voids the open link.
  await two.ask('account.set-password', {
    email: OWNER_EMAIL,
    passwordHash: await quickPasswordHash(PASSWORD),
  })
  assert.equal((await two.call('POST', '/setup', { json })).status, 404)
  await two.stop()
  const three = await startGateway({ dataDir, config })
  assert.doesNotMatch(three.printed.join(''), /setup/)
  await three.stop()
})

describe('an account with a password', () => {
  let gateway: SharedGateway
  let email: string
  /** An account without a password. */
  let unset: TestAccount
  before(async () => {
    gateway = await sharedGateway()
    unset = await gateway.newAccount()
    email = (await gateway.newAccount()).email
    const passwordHash = await quickPasswordHash(PASSWORD)
    await gateway.ask('account.set-password', { email, passwordHash })
  })

  test('logs in for twelve hours, and out at once on every thread', async () => {
    const before = Date.now()
    const answer = await logIn(gateway, email, PASSWORD)
    const { token, expiresAt } = v.parse(LoginResource, answer.json?.data)
    assert.equal(answer.headers.get('cache-control'), 'no-store')
    assert.ok(Math.abs(Date.parse(expiresAt) - before - 43_200_000) < 60_000)
    const other = v.parse(LoginResource, (await logIn(gateway, email, PASSWORD)).json?.data)
    assert.equal((await gateway.call('GET', '/api/v1/keys', { token })).status, 200)
    const out = await gateway.call('POST', '/api/v1/auth/logout', { token })
    assert.deepEqual(out.json, { success: true, data: { revoked: true } })
    // Connections are spread over both listeners.
    const tries = Array.from({ length: 20 }, () => gateway.call('GET', '/api/v1/keys', { token }))
    assert.deepEqual(new Set((await Promise.all(tries)).map(({ status }) => status)), new Set([401]))
    assert.equal((await gateway.call('POST', '/api/v1/auth/logout', { token })).status, 401)
    assert.equal((await gateway.call('GET', '/api/v1/keys', { token: other.token })).status, 200)
  })

  test('gets the same refusal for a wrong password as an unknown account', async () => {
    const wrong = await logIn(gateway, email, 'wrong password', '192.0.2.9')
    const unknown = await logIn(gateway, 'nobody@example.org', 'wrong password', '192.0.2.9')
    const without = await logIn(gateway, unset.email, 'wrong password', '192.0.2.9')
    assert.equal(wrong.status, 401)
    assert.equal(wrong.text, unknown.text)
    assert.equal(wrong.text, without.text)
  })

  test('has accepted and refused logins in the log by address, without a password', async () => {
    const found = (event: string, address: string) =>
      gateway.log.filter(entry => entry.event === event && entry.fields?.['address'] === address)
    await logIn(gateway, email, 'a refused password', '192.0.2.31')
    await logIn(gateway, 'nobody@example.org', 'a refused password', '192.0.2.31')
    await logIn(gateway, email, PASSWORD, '192.0.2.32')
    const { accountId, userId } = await gateway.ask('account.find', { email })
    // An answer may arrive before the log line of its thread.
    while (found('login.accepted', '192.0.2.32').length === 0) await nextLook()
    const [accepted] = found('login.accepted', '192.0.2.32')
    assert.deepEqual(accepted?.fields, { accountId, userId, address: '192.0.2.32' })
    assert.equal(accepted?.level, 'info')
    const refused = found('login.refused', '192.0.2.31')
    assert.deepEqual(
      refused.map(({ level, fields }) => ({ level, fields })),
      Array.from({ length: 2 }, () => ({ level: 'warn', fields: { address: '192.0.2.31' } })),
    )
    assert.doesNotMatch(JSON.stringify(gateway.log), /a refused password|correct horse/)
  })

  test('slows down only the address that guesses', async () => {
    const from = '192.0.2.66'
    // The number of refusals varies, because the bucket refills while passwords are compared.
    let answer: Awaited<ReturnType<typeof logIn>> | undefined
    for (let i = 0; i < FAILURES_PER_PAIR_PER_MINUTE + 5 && answer?.status !== 429; i++)
      answer = await logIn(gateway, email, `guess number ${i}`, from)
    assert.equal(answer?.status, 429)
    assert.ok(Number(answer?.headers.get('retry-after')) > 0)
    assert.equal(answer?.json?.error.details?.limit, FAILURES_PER_PAIR_PER_MINUTE)
    assert.match(answer?.json?.error.details?.resetAt ?? '', /Z$/)
    assert.equal((await logIn(gateway, email, PASSWORD, from)).status, 429)
    assert.equal((await logIn(gateway, email, PASSWORD)).status, 200)
  })

  test('accepts a new password at once, and the old one no longer', async () => {
    const passwordHash = await quickPasswordHash('another long password')
    await gateway.ask('account.set-password', { email, passwordHash })
    assert.equal((await logIn(gateway, email, PASSWORD, '192.0.2.30')).status, 401)
    assert.equal((await logIn(gateway, email, 'another long password', '192.0.2.30')).status, 200)
  })

  test('refuses older tokens on every thread after a new password, but keeps keys', async () => {
    const statusesWith = async (credential: { readonly token?: string; readonly key?: string }) => {
      const tries = Array.from({ length: 20 }, () => gateway.call('GET', '/api/v1/devices', credential))
      return [...new Set((await Promise.all(tries)).map(({ status }) => status))]
    }
    const { key } = await gateway.ask('key.create', { email, name: 'script', test: false })
    const old = v.parse(LoginResource, (await logIn(gateway, email, 'another long password')).json?.data)
    assert.deepEqual(await statusesWith(old), [200])
    await gateway.ask('account.set-password', {
      email,
      passwordHash: await quickPasswordHash(PASSWORD),
    })
    assert.deepEqual(await statusesWith(old), [401])
    assert.deepEqual(await statusesWith({ key }), [200])
    const fresh = v.parse(LoginResource, (await logIn(gateway, email, PASSWORD)).json?.data)
    assert.deepEqual(await statusesWith(fresh), [200])
    assert.deepEqual(await statusesWith({ token: await gateway.tokenOf(unset.accountId) }), [200])
  })

  test('gets all faults of a login request at once', async () => {
    const answer = await gateway.call('POST', '/api/v1/auth/login', { json: { email: 'x', password: '' } })
    assert.equal(answer.status, 400)
    assert.deepEqual(
      answer.json?.error.details?.issues?.map(({ path }) => path),
      ['email', 'password'],
    )
  })
})
