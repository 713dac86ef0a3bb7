/**
 * Calls every route with every kind of credential, and expects the exact status and code. A route without a
 * line in the table fails the test, so a new route always has a decision about who may call it.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { PhoneNews } from '#contracts/phone-orders.ts'
import { CREDENTIALS, type Credential, PERSON, ROWS, SMS, WEBHOOK } from '#test/kit/credential-table.ts'
import type { CallOptions, SharedGateway, TestAccount } from '#test/kit/gateway.ts'
import { openSession } from '#test/kit/open-session.ts'
import { appRoutes, declaredRoutes } from '#test/kit/routes.ts'
import { sharedGateway } from '#test/kit/shared-gateway.ts'
import { slowSteps } from '#test/kit/slow-steps.ts'

describe('credentials', () => {
  let gateway: SharedGateway
  let credentials: Record<Credential, () => Promise<CallOptions>>
  let things: Record<string, string>
  let app: Awaited<ReturnType<typeof pair>>
  let owner: TestAccount

  before(async () => {
    gateway = await sharedGateway()
    owner = await gateway.newAccount()
    const other = await gateway.newAccount()
    const device = await pair(gateway, owner)
    app = await pair(gateway, owner, 'smsgate-cloud')
    credentials = await credentialsOf(gateway, {
      owner,
      other,
      deviceToken: device.token,
      appToken: app.token,
    })
    things = await thingsOf(gateway, owner, device.deviceId)
  })
  // Otherwise the gateway waits at its end for reports about the texts that the app fetched.
  after(() => gateway.ask('device.remove', { accountId: owner.accountId, deviceId: app.deviceId }))

  test('of every kind get the answer of this table on every route', async t => {
    for (const route of [...(await declaredRoutes()), ...appRoutes()]) {
      const name = `${route.method} ${route.path}`
      const row = ROWS[name]
      await t.test(name, async () => {
        assert.ok(row, 'this route has no line in the table of credentials')
        const found: Record<string, string> = {}
        // The credential that may change data comes last, so that the others find it unchanged.
        for (const credential of [...CREDENTIALS].sort(
          (a, b) => Number(a === 'token') - Number(b === 'token'),
        )) {
          const at = row.at ?? ''
          // Some things can be used only once, so the session has its own.
          const thing = (credential === 'session' ? things[`${at} of a session`] : undefined) ?? things[at]
          const path = route.path.replace(/\{\w+\}/, thing || 'unknown')
          const given = await credentials[credential]()
          // Each credential has its own address, so that a failure does not slow down the next one.
          const from = { 'X-Forwarded-For': `192.0.2.${CREDENTIALS.indexOf(credential)}` }
          const options = {
            ...given,
            ...(row.json !== undefined && { json: row.json }),
            headers: { ...given.headers, ...from },
          }
          const { status, json } = await gateway.call(route.method.toUpperCase(), path, options)
          const answer = [status, json?.error?.code].filter(Boolean).join(' ')
          const wanted = row.expect[credential]
          found[credential] = wanted.split(' or ').includes(answer) ? wanted : answer
        }
        assert.deepEqual(found, row.expect)
      })
    }
  })

  test('are tested on every declared route, and the table has no other line', async () => {
    const declared = [...(await declaredRoutes()), ...appRoutes()].map(
      ({ method, path }) => `${method} ${path}`,
    )
    assert.deepEqual(Object.keys(ROWS).sort(), declared.sort())
  })
})

interface Callers {
  readonly owner: TestAccount
  readonly other: TestAccount
  readonly deviceToken: string
  readonly appToken: string
}

async function credentialsOf(
  gateway: SharedGateway,
  { owner, other, deviceToken, appToken }: Callers,
): Promise<Record<Credential, () => Promise<CallOptions>>> {
  const revoked = await gateway.ask('key.create', { email: owner.email, name: 'revoked', test: false })
  await gateway.ask('key.revoke', { id: revoked.record.id, accountId: null })
  const expired = await gateway.tokenOf(owner.accountId, -1)
  const fixed = (options: CallOptions) => async () => options
  let open = await openSession(gateway, owner)
  // A new session, if a route has ended the last one.
  const session = async () => {
    const { json } = await gateway.call('GET', '/api/v1/session', { headers: open.headers })
    if (json?.data === null) open = await openSession(gateway, owner)
    return open
  }
  return {
    nothing: fixed({}),
    'live key': fixed({ key: owner.liveKey }),
    'test key': fixed({ key: owner.testKey }),
    // A new token each time, because one route logs it out.
    token: async () => ({ token: await gateway.tokenOf(owner.accountId) }),
    'key of another account': fixed({ key: other.liveKey }),
    'token of another account': async () => ({ token: await gateway.tokenOf(other.accountId) }),
    'revoked key': fixed({ key: revoked.key }),
    'expired token': fixed({ token: expired }),
    'device token': fixed({ token: deviceToken }),
    'device token as key': fixed({ key: deviceToken }),
    'token of an app': fixed({ token: appToken }),
    garbage: fixed({ key: 'sk_live_', token: 'garbage' }),
    'key as token': fixed({ token: owner.liveKey }),
    'key as password': fixed({ headers: { Authorization: `Basic ${btoa(`roost:${owner.liveKey}`)}` } }),
    session: async () => ({ headers: (await session()).headers }),
    'cookie alone': async () => ({ headers: { Cookie: (await session()).headers.Cookie } }),
    'half alone': async () => ({
      headers: { 'X-Roost-Console': (await session()).headers['X-Roost-Console'] },
    }),
  }
}

/** The things that the paths of the table name. All of them belong to the owner. */
async function thingsOf(gateway: SharedGateway, owner: TestAccount, deviceId: string) {
  const send = async () => {
    const json = { ...SMS, queueIfOffline: true }
    const { json: sent } = await gateway.call('POST', '/api/v1/sms/send', { key: owner.liveKey, json })
    return String(sent?.data['messageId'])
  }
  const cancelled = await send()
  await gateway.call('DELETE', `/api/v1/sms/${cancelled}`, { key: owner.liveKey })
  const spareKey = async () =>
    (await gateway.ask('key.create', { email: owner.email, name: 'spare', test: false })).record.id
  const webhook = async () => {
    const { json } = await gateway.call('POST', '/api/v1/webhooks', { token: owner.token, json: WEBHOOK })
    return { id: String(json?.data['id']), token: String(json?.data['token']) }
  }
  const alerts = await webhook()
  const make = async (path: string, json: object) => {
    const { json: made } = await gateway.call('POST', `/api/v1/${path}`, { token: owner.token, json })
    return String(made?.data['id'])
  }
  let people = 0
  const person = () => make('people', { ...PERSON, phoneNumber: `+1415555010${people++}` })
  const ada = await person()
  const rota = () => make('rotas', { name: 'Week', people: [ada], days: 7, handover: 'mon 09:00' })
  const group = () => make('groups', { name: 'Team', people: [ada] })
  const phones = () => make('device-groups', { name: 'Office', devices: [deviceId] })
  const policy = () => make('policies', { name: 'Home', steps: slowSteps([ada]) })
  const home = await policy()
  let users = 0
  const user = () => make('users', { email: `user${users++}@credentials.example.org`, role: 'viewer' })
  const forward = () => make('forwards', { name: 'Texts', kind: 'ntfy', url: 'https://ntfy.example/texts' })
  return {
    user: await user(),
    'spare user': await user(),
    'spare user of a session': await user(),
    forward: await forward(),
    'spare forward': await forward(),
    'spare forward of a session': await forward(),
    person: ada,
    'spare person': await person(),
    'spare person of a session': await person(),
    rota: await rota(),
    'spare rota': await rota(),
    'spare rota of a session': await rota(),
    group: await group(),
    'spare group': await group(),
    'spare group of a session': await group(),
    'device group': await phones(),
    'spare device group': await phones(),
    'spare device group of a session': await phones(),
    policy: home,
    'spare policy': await policy(),
    'spare policy of a session': await policy(),
    incident: await make(`policies/${home}/rehearse`, {}),
    '': '',
    webhook: alerts.id,
    'webhook token': alerts.token,
    'spare webhook': (await webhook()).id,
    'live message': await send(),
    'cancelled message': cancelled,
    device: deviceId,
    'received text': await handIn(gateway, owner),
    'spare device': (await pair(gateway, owner)).deviceId,
    'spare device of a session': (await pair(gateway, owner)).deviceId,
    'spare webhook of a session': (await webhook()).id,
    'spare key': await spareKey(),
    'spare key of a session': await spareKey(),
    'spare session': (await openSession(gateway, owner)).id,
    'spare session of a session': (await openSession(gateway, owner)).id,
  }
}

async function pair(
  gateway: SharedGateway,
  { accountId }: TestAccount,
  protocol: 'roost' | 'smsgate-cloud' = 'roost',
) {
  const { code } = await gateway.ask('device.create-pairing', { accountId, name: null })
  return gateway.ask('device.pair', { code, name: null, platform: null, appVersion: null, protocol })
}

/** Stores a received text, and removes its phone. @returns the id of the text */
async function handIn(gateway: SharedGateway, owner: TestAccount): Promise<string> {
  const { deviceId } = await pair(gateway, owner)
  const connection = { listener: 0, socket: 1 }
  const tell = (news: PhoneNews) => gateway.ask('phone.news', { deviceId, connection, news })
  await tell({ type: 'opened', appVersion: '1', platform: 'test', sims: [] })
  await tell({ type: 'received', id: '1', from: '+14155550144', text: 'hello', sentAt: null, simSlot: null })
  await gateway.ask('device.remove', { accountId: owner.accountId, deviceId })
  const { json } = await gateway.call('GET', '/api/v1/received', { key: owner.liveKey })
  return String(json?.data[0]?.['id'])
}
