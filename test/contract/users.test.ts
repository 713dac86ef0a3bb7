import assert from 'node:assert/strict'
import { once } from 'node:events'
import { before, beforeEach, suite, test } from 'node:test'
import WebSocket from 'ws'
import type { CallOptions, SharedGateway, TestAccount } from '#test/kit/gateway.ts'
import { sharedGateway } from '#test/kit/shared-gateway.ts'
import { addUser, tokenOfUser, USER_PASSWORD } from '#test/kit/users.ts'

const PASSWORD = USER_PASSWORD

suite('users of an account', () => {
  let gateway: SharedGateway
  let owner: TestAccount

  beforeEach(async () => {
    gateway = await sharedGateway()
    owner = await gateway.newAccount()
  })

  const call = (method: string, path: string, options: CallOptions = { token: owner.token }) =>
    gateway.call(method, `/api/v1${path}`, options)
  const invite = async (email: string, role = 'viewer') => {
    const { status, json } = await call('POST', '/users', { token: owner.token, json: { email, role } })
    assert.equal(status, 200)
    const { id, invitationUrl } = (json?.data ?? {}) as { id: string; invitationUrl: string }
    return { id, token: /\/#\/invite\/(inv_\w+)$/.exec(invitationUrl)?.[1] ?? '', json: json?.data }
  }
  const take = (token: string, password = PASSWORD) =>
    call('POST', '/invitations', { json: { token, password } })
  const logIn = (email: string, password = PASSWORD) =>
    call('POST', '/session', { json: { email, password } })
  const pageOf = (answer: Awaited<ReturnType<typeof call>>) => ({
    Cookie: answer.headers.get('set-cookie')?.split(';')[0] ?? '',
    'X-Roost-Console': String(answer.json?.data['half']),
  })
  const session = async (headers: Readonly<Record<string, string>>) =>
    (await call('GET', '/session', { headers })).json?.data

  test('are invited with a link that sets a password and logs in', async () => {
    const { id, token, json } = await invite('Ada@Users.Example.org', 'operator')
    const { email, role, disabled, invitedUntil } = (json ?? {}) as Record<string, unknown>
    assert.deepEqual(
      { email, role, disabled },
      { email: 'ada@users.example.org', role: 'operator', disabled: false },
    )
    const weekMs = Date.parse(String(invitedUntil)) - Date.now()
    assert.ok(Math.abs(weekMs - 7 * 86_400_000) < 60_000, `${weekMs}`)
    assert.equal((await logIn('ada@users.example.org')).status, 401)
    const short = await take(token, 'short')
    assert.deepEqual([short.status, short.json?.error.details?.issues?.[0]?.path], [400, 'password'])

    const taken = await take(token)
    assert.equal(taken.status, 200)
    const account = { email: 'ada@users.example.org', plan: 'pro', role: 'operator' }
    assert.deepEqual(taken.json?.data['account'], account)
    assert.deepEqual((await session(pageOf(taken)))?.['account'], account)
    assert.equal((await logIn('ada@users.example.org')).status, 200)
    assert.equal((await call('GET', `/users/${id}`)).json?.data['invitedUntil'], null)
    assert.equal((await take(token)).status, 404)
  })

  test('are shown without any secret', async () => {
    const { token } = await invite('shown@users.example.org')
    const list = await call('GET', '/users')
    assert.deepEqual(Object.keys(list.json?.data[0] ?? {}).sort(), [
      'createdAt',
      'disabled',
      'email',
      'id',
      'invitedUntil',
      'role',
    ])
    assert.doesNotMatch(list.text, RegExp(`scrypt|${token}`))
  })

  test('take an invitation once, also when two of them try at the same time', async () => {
    const { token } = await invite('race@users.example.org')
    const passwords = ['the first password', 'the second password']
    const answers = await Promise.all(passwords.map(password => take(token, password)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 404])
    const winner = answers.findIndex(({ status }) => status === 200)
    const logins = await Promise.all(passwords.map(password => logIn('race@users.example.org', password)))
    assert.deepEqual(
      logins.map(({ status }) => status === 200),
      passwords.map((_, index) => index === winner),
    )
  })

  test('get a new link instead of the old one until they have taken it', async () => {
    const first = await invite('again@users.example.org')
    const second = await invite('again@users.example.org', 'operator')
    assert.equal(second.id, first.id)
    assert.equal((await take(first.token)).status, 404)
    assert.equal((await take(second.token)).status, 200)
    const json = { email: 'again@users.example.org', role: 'viewer' }
    assert.equal((await call('POST', '/users', { token: owner.token, json })).status, 409)
  })

  test('have e-mail addresses that no login of any account has', async () => {
    const other = await gateway.newAccount()
    const member = await addUser(gateway, other, { email: 'member@users.example.org', role: 'viewer' })
    for (const email of [other.email, 'member@users.example.org', owner.email]) {
      const json = { email, role: 'viewer' }
      assert.equal((await call('POST', '/users', { token: owner.token, json })).status, 409, email)
    }
    const create = gateway.ask('account.create', {
      email: 'member@users.example.org',
      plan: null,
      passwordHash: null,
    })
    await assert.rejects(create, { code: 'CONFLICT' })
    for (const [method, json] of [
      ['GET', undefined],
      ['PATCH', { role: 'owner' }],
      ['DELETE', undefined],
    ] as const)
      assert.equal(
        (await call(method, `/users/${member.userId}`, { token: owner.token, ...(json && { json }) })).status,
        404,
      )
  })

  test('that are disabled lose sessions, tokens and live sockets at once, on every thread', async () => {
    const { id, token } = await invite('gone@users.example.org')
    const page = pageOf(await take(token))
    const jwt = String(
      (await call('POST', '/auth/login', login('gone@users.example.org'))).json?.data['token'],
    )
    const sockets = await Promise.all([live({ Authorization: `Bearer ${jwt}` }), liveOf(page)])
    // Calls on many connections reach both threads, and fill the cache of each.
    const calls = () =>
      Promise.all(
        Array.from({ length: 20 }, (_, i) =>
          call('GET', '/status', i % 2 === 0 ? { headers: page } : { token: jwt }),
        ),
      )
    assert.ok((await calls()).every(({ status }) => status === 200))

    const json = { disabled: true }
    const change = await call('PATCH', `/users/${id}`, { token: owner.token, json })
    assert.equal(change.json?.data['disabled'], true)
    assert.ok((await calls()).every(({ status }) => status === 401))
    assert.equal(await session(page), null)
    assert.deepEqual(await Promise.all(sockets.map(({ closed }) => closed)), [4401, 4401])
    const [known, unknown] = [
      await logIn('gone@users.example.org'),
      await logIn('nobody-here@users.example.org'),
    ]
    assert.deepEqual([known.status, known.text], [401, unknown.text])

    await call('PATCH', `/users/${id}`, { token: owner.token, json: { disabled: false } })
    assert.ok(
      (await calls()).every(({ status }) => status === 401),
      'what ended stays ended',
    )
    assert.equal((await logIn('gone@users.example.org')).status, 200)
  })

  test('that are removed are gone at once, and their address is free', async () => {
    const { id, token } = await invite('leaver@users.example.org')
    const page = pageOf(await take(token))
    assert.equal((await call('DELETE', `/users/${id}`)).status, 200)
    assert.equal((await call('GET', '/status', { headers: page })).status, 401)
    assert.equal((await logIn('leaver@users.example.org')).status, 401)
    assert.equal((await call('DELETE', `/users/${id}`)).status, 404)
    assert.notEqual((await invite('leaver@users.example.org')).id, id)
  })

  test('get another role with their next call', async () => {
    const user = await addUser(gateway, owner, { email: 'rising@users.example.org', role: 'viewer' })
    const token = await tokenOfUser(gateway, user)
    const page = pageOf(await logIn(user.email))
    const send = async () =>
      (
        await Promise.all(
          [{ token }, { headers: page }].map(how => call('POST', '/people', { ...how, json: {} })),
        )
      ).map(({ status }) => status)
    assert.deepEqual(await send(), [403, 403])
    const json = { role: 'operator' }
    await call('PATCH', `/users/${user.userId}`, { token: owner.token, json })
    assert.deepEqual(await send(), [400, 400])
  })

  test('change the e-mail address and password of their own login only', async () => {
    const user = await addUser(gateway, owner, { email: 'own@users.example.org', role: 'viewer' })
    const [page, other] = [pageOf(await logIn(user.email)), pageOf(await logIn(user.email))]
    const change = (json: object) => call('PATCH', '/account', { headers: page, json })
    const sessions = await call('GET', '/sessions', { headers: page })
    assert.equal(sessions.json?.data.length, 2)
    const json = {
      email: 'new-own@users.example.org',
      password: 'another password',
      currentPassword: PASSWORD,
    }
    assert.equal((await change({ ...json, email: owner.email })).status, 409)
    assert.equal((await change(json)).json?.data['email'], 'new-own@users.example.org')
    const account = { email: 'new-own@users.example.org', plan: 'pro', role: 'viewer' }
    assert.deepEqual((await session(page))?.['account'], account)
    assert.equal(await session(other), null)
    assert.equal((await logIn('new-own@users.example.org', 'another password')).status, 200)
    assert.equal((await call('GET', '/status')).status, 200, 'the owner stays logged in')
    assert.equal((await gateway.ask('account.find', { email: owner.email })).accountId, owner.accountId)
  })

  const login = (email: string) => ({ json: { email, password: PASSWORD } })

  async function live(headers: Readonly<Record<string, string>>) {
    const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}/api/v1/live`, 'roost.live.v1', {
      headers,
    })
    await once(socket, 'open')
    const closed = new Promise<number>(resolve => socket.once('close', resolve))
    return { socket, closed }
  }

  async function liveOf({ Cookie, 'X-Roost-Console': half }: ReturnType<typeof pageOf>) {
    const opened = await live({ Cookie, Origin: gateway.url })
    opened.socket.send(JSON.stringify({ half }))
    return opened
  }
})

suite('the owners of an account', () => {
  let gateway: SharedGateway

  before(async () => {
    gateway = await sharedGateway()
  })

  test('that remove, disable or demote each other at once leave one', async () => {
    const ways = [
      { method: 'DELETE' },
      { method: 'PATCH', json: { disabled: true } },
      { method: 'PATCH', json: { role: 'viewer' } },
    ] as const
    for (const [index, { method, ...options }] of ways.entries()) {
      const account = await gateway.newAccount()
      const email = `second-${index}@users.example.org`
      const second = await addUser(gateway, account, { email, role: 'owner' })
      const first = { accountId: account.accountId, userId: account.accountId.replace('acc_', 'usr_') }
      const by = async (who: typeof first, whom: typeof first) =>
        gateway.call(method, `/api/v1/users/${whom.userId}`, {
          token: await tokenOfUser(gateway, who),
          ...options,
        })
      const answers = await Promise.all([by(first, second), by(second, first)])
      const statuses = answers.map(({ status }) => status).sort()
      // The second one is refused because it is no owner any more, or because the other is the last owner.
      assert.equal(statuses[0], 200, `${method}: ${statuses}`)
      assert.ok([401, 403, 409].includes(statuses[1] ?? 0), `${method}: ${statuses}`)
      const users = await gateway.ask('user.list', { accountId: account.accountId })
      assert.equal(users.filter(({ role, disabled }) => role === 'owner' && !disabled).length, 1)
      const [left] = users.filter(({ role, disabled }) => role === 'owner' && !disabled)
      assert.equal((await gateway.ask('account.find', { email: left?.email ?? '' })).userId, left?.id)
    }
  })

  test('each stand for the account where its plan is set; others do not', async () => {
    const account = await gateway.newAccount()
    await addUser(gateway, account, { email: 'plan-too@users.example.org', role: 'owner' })
    await addUser(gateway, account, { email: 'plan-not@users.example.org', role: 'operator' })
    const set = (email: string) => gateway.ask('account.set-plan', { email, plan: 'free' })
    assert.equal((await set('plan-too@users.example.org')).accountId, account.accountId)
    await assert.rejects(set('plan-not@users.example.org'), { code: 'NOT_FOUND' })
  })

  test('never lose the last one, whoever was only invited', async () => {
    const account = await gateway.newAccount()
    const userId = account.accountId.replace('acc_', 'usr_')
    await gateway.ask('user.invite', {
      accountId: account.accountId,
      email: 'maybe@users.example.org',
      role: 'owner',
    })
    const path = `/api/v1/users/${userId}`
    const { token } = account
    for (const json of [{ disabled: true }, { role: 'operator' }]) {
      const refused = await gateway.call('PATCH', path, { token, json })
      assert.equal(refused.status, 409)
      assert.match(refused.json?.error.message ?? '', /last owner/)
    }
    assert.equal((await gateway.call('DELETE', path, { token })).status, 409)
    assert.equal((await gateway.call('PATCH', path, { token, json: { role: 'owner' } })).status, 200)
  })
})
