import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import type { SharedGateway, TestAccount, TestAnswer } from '#test/kit/gateway.ts'
import { quickPasswordHash } from '#test/kit/quick-password.ts'
import { sharedGateway } from '#test/kit/shared-gateway.ts'
import { SESSION_CALLS_PER_MINUTE } from '#transport/http/count-call.ts'

const PASSWORD = 'correct horse battery'
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0'

interface LoggedIn {
  /** The request headers with both halves of the session. */
  readonly headers: Readonly<Record<string, string>>
  readonly cookie: string
  readonly half: string
  readonly id: string
  readonly setCookie: string
}

function loggedIn(answer: TestAnswer): LoggedIn {
  assert.equal(answer.status, 200, answer.text)
  const setCookie = answer.headers.get('set-cookie') ?? ''
  const cookie = setCookie.split(';')[0] ?? ''
  const half = String(answer.json?.data['half'])
  const headers = { Cookie: cookie, 'X-Roost-Console': half }
  return { headers, cookie, half, id: String(answer.json?.data['id']), setCookie }
}

describe('a session', () => {
  let gateway: SharedGateway
  let owner: TestAccount
  const logIn = (password = PASSWORD, headers: Record<string, string> = {}) =>
    gateway.call('POST', '/api/v1/session', { json: { email: owner.email, password }, headers })
  const status = async (headers: Readonly<Record<string, string>>, path = '/api/v1/keys') =>
    (await gateway.call('GET', path, { headers })).status

  beforeEach(async () => {
    gateway = await sharedGateway()
    // With a limit of calls.
    owner = await gateway.newAccount('standard')
    const passwordHash = await quickPasswordHash(PASSWORD)
    await gateway.ask('account.set-password', { email: owner.email, passwordHash })
  })

  test('is opened with e-mail and password, and scripts cannot read its cookie', async () => {
    const answer = await logIn()
    const { setCookie } = loggedIn(answer)
    assert.match(setCookie, /^roost_[0-9a-f]{6}=\w{38}; Max-Age=7776000; Path=\/; HttpOnly; SameSite=Strict$/)
    assert.equal(answer.headers.get('cache-control'), 'no-store')
    assert.deepEqual(answer.json?.data['account'], { email: owner.email, plan: 'standard', role: 'owner' })
    assert.equal((await logIn('wrong password')).status, 401)
  })

  test('is valid only with both halves', async () => {
    const { headers, cookie, half } = loggedIn(await logIn())
    const other = loggedIn(await logIn())
    assert.equal(await status(headers), 200)
    assert.equal(await status({ Cookie: cookie }), 401)
    assert.equal(await status({ 'X-Roost-Console': half }), 401)
    assert.equal(await status({ Cookie: cookie, 'X-Roost-Console': other.half }), 401)
    assert.equal(await status({ Cookie: 'roost_000000=x', 'X-Roost-Console': half }), 401)
    assert.equal(await status({ Cookie: `a=b; ${cookie}; c=d`, 'X-Roost-Console': half }), 200)
  })

  test('behind an HTTPS proxy has a cookie with another name, and both cookies work together', async () => {
    const plain = loggedIn(await logIn())
    const secure = loggedIn(await logIn(PASSWORD, { 'X-Forwarded-Proto': 'https' }))
    assert.match(secure.setCookie, /^__Host-roost_[0-9a-f]{6}=.*; Secure$/)
    const Cookie = `${plain.cookie}; ${secure.cookie}`
    assert.equal(await status({ Cookie, 'X-Roost-Console': plain.half }), 200)
    assert.equal(await status({ Cookie, 'X-Roost-Console': secure.half }), 200)
  })

  test('names the logged-in account, or null before the login', async () => {
    const { headers, id } = loggedIn(await logIn())
    const known = await gateway.call('GET', '/api/v1/session', { headers })
    assert.equal(known.json?.data['id'], id)
    const nobody = await gateway.call('GET', '/api/v1/session')
    assert.deepEqual([nobody.status, nobody.json?.data], [200, null])
  })

  test("has a rate limit of its own, apart from that of the account's keys", async () => {
    const { headers } = loggedIn(await logIn())
    const before = await gateway.call('GET', '/api/v1/devices', { token: owner.token })
    assert.equal(before.status, 401, 'setting the password ended the token')
    const mine = await gateway.call('GET', '/api/v1/devices', { headers })
    assert.equal(mine.headers.get('x-ratelimit-limit'), String(SESSION_CALLS_PER_MINUTE))
    const byKey = await gateway.call('GET', '/api/v1/devices', { key: owner.liveKey })
    for (let i = 0; i < 5; i++) await gateway.call('GET', '/api/v1/devices', { headers })
    const again = await gateway.call('GET', '/api/v1/devices', { key: owner.liveKey })
    const left = (answer: TestAnswer) => Number(answer.headers.get('x-ratelimit-remaining'))
    assert.ok(left(byKey) - left(again) <= 1, `${left(byKey)} then ${left(again)}`)
  })

  test('is listed with its browser, and another session can end it at once on every thread', async () => {
    const mine = loggedIn(await logIn())
    const other = loggedIn(await logIn(PASSWORD, { 'User-Agent': BROWSER, 'X-Forwarded-For': '192.0.2.7' }))
    const list = await gateway.call('GET', '/api/v1/sessions', { headers: mine.headers })
    const found = list.json?.data.find(({ id }) => id === other.id)
    assert.equal(found?.['browser'], 'Firefox on Linux')
    assert.equal(found?.['address'], '192.0.2.7')
    assert.deepEqual(
      list.json?.data.filter(({ current }) => current === true).map(({ id }) => id),
      [mine.id],
    )
    const path = `/api/v1/sessions/${other.id}`
    assert.equal((await gateway.call('DELETE', path, { headers: mine.headers })).status, 200)
    for (let i = 0; i < 8; i++) assert.equal(await status(other.headers), 401)
    assert.equal((await gateway.call('DELETE', path, { headers: mine.headers })).status, 404)
  })

  test('ends with the logout, which removes the cookie', async () => {
    const { headers } = loggedIn(await logIn())
    const gone = await gateway.call('DELETE', '/api/v1/session', { headers })
    assert.match(gone.headers.get('set-cookie') ?? '', /^roost_\w{6}=; Max-Age=0;/)
    assert.equal(await status(headers), 401)
    assert.equal((await gateway.call('POST', '/api/v1/auth/logout', { headers })).status, 401)
  })

  test('changes e-mail address and password; a new password ends all other sessions', async () => {
    const mine = loggedIn(await logIn())
    const other = loggedIn(await logIn())
    const { headers } = mine
    const change = (json: object) => gateway.call('PATCH', '/api/v1/account', { headers, json })
    const wrong = await change({ password: 'a longer password', currentPassword: 'wrong' })
    assert.equal(wrong.json?.error.details?.issues?.[0]?.path, 'currentPassword')
    assert.equal((await change({ currentPassword: PASSWORD })).status, 400)
    assert.equal((await change({ password: 'a longer password' })).status, 400)
    const someone = await gateway.newAccount()
    const taken = await change({ email: someone.email, currentPassword: PASSWORD })
    assert.equal(taken.status, 409)
    const email = 'ann@sessions.example.org'
    assert.equal((await change({ email, currentPassword: PASSWORD })).json?.data['email'], email)
    assert.equal(await status(other.headers), 200)
    const changed = await change({
      email: owner.email,
      password: 'a longer password',
      currentPassword: PASSWORD,
    })
    assert.equal(changed.status, 200, changed.text)
    assert.equal(await status(headers), 200)
    assert.equal(await status(other.headers), 401)
    assert.equal((await logIn()).status, 401)
    assert.equal((await change({ password: PASSWORD, currentPassword: 'a longer password' })).status, 200)
  })

  test('shows when a key was last used', async () => {
    const { headers } = loggedIn(await logIn())
    const made = await gateway.call('POST', '/api/v1/keys', { headers, json: { name: 'fresh' } })
    const usedAt = async () => {
      const keys = await gateway.call('GET', '/api/v1/keys', { headers })
      return keys.json?.data.find(({ id }) => id === made.json?.data['id'])?.['lastUsedAt']
    }
    assert.equal(await usedAt(), null)
    await gateway.call('GET', '/api/v1/sms', { key: String(made.json?.data['key']) })
    // A command sent after the note is answered after the note's commit.
    await gateway.call('POST', '/api/v1/keys', { headers, json: { name: 'later' } })
    await gateway.ask('gateway.check', {})
    const at = await usedAt()
    assert.ok(Math.abs(Date.parse(String(at)) - Date.now()) < 60_000, String(at))
  })
})
