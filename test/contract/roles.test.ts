/** Which routes each role reaches: the whole matrix, as declared and as the gateway answers. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, suite, test } from 'node:test'
import { ROLES, type Role } from '#contracts/user.ts'
import { isAtLeast } from '#domain/account/user.ts'
import type { SharedGateway, TestAccount } from '#test/kit/gateway.ts'
import { declaredRoutes } from '#test/kit/routes.ts'
import { sharedGateway } from '#test/kit/shared-gateway.ts'
import { addUser, type TestUser, tokenOfUser } from '#test/kit/users.ts'
import type { Route } from '#transport/http/route.ts'

/** Everybody who is logged in. A viewer also changes the own login. */
const VIEWER = [
  'delete /session',
  'delete /sessions/{id}',
  'get /account/usage',
  'get /configuration',
  'get /device-groups',
  'get /device-groups/{id}',
  'get /devices',
  'get /devices/{deviceId}',
  'get /devices/{deviceId}/drills',
  'get /devices/{deviceId}/history',
  'get /groups',
  'get /groups/{id}',
  'get /incidents',
  'get /incidents/{id}',
  'get /opt-outs',
  'get /overview',
  'get /people',
  'get /people/{id}',
  'get /policies',
  'get /policies/{id}',
  'get /received',
  'get /received.csv',
  'get /received/{id}',
  'get /rotas',
  'get /rotas/{id}',
  'get /rotas/{id}/turns',
  'get /sessions',
  'get /sms',
  'get /sms.csv',
  'get /sms/{messageId}',
  'get /sms/{messageId}/forecast',
  'get /status',
  'get /texts',
  'get /texts.csv',
  'get /usage/days',
  'get /usage/days.csv',
  'get /webhooks',
  'get /webhooks/{id}',
  'get /webhooks/{id}/readings',
  'get /webhooks/{id}/triggers',
  'get /webhooks/{id}/triggers/{seq}',
  'patch /account',
  'post /auth/logout',
]

const OPERATOR = [
  'delete /groups/{id}',
  'delete /opt-outs/{number}',
  'delete /people/{id}',
  'delete /policies/{id}',
  'delete /rotas/{id}',
  'delete /rotas/{id}/overrides/{overrideId}',
  'delete /sms/{messageId}',
  'delete /webhooks/{id}',
  'delete /webhooks/{id}/readings/{shape}',
  'patch /groups/{id}',
  'patch /people/{id}',
  'patch /policies/{id}',
  'patch /rotas/{id}',
  'patch /webhooks/{id}',
  'post /devices/{deviceId}/drills',
  'post /groups',
  'post /incidents/{id}/close',
  'post /incidents/{id}/next',
  'post /incidents/{id}/take',
  'post /opt-outs',
  'post /people',
  'post /policies',
  'post /policies/{id}/rehearse',
  'post /rotas',
  'post /rotas/{id}/overrides',
  'post /sms/2fa',
  'post /sms/2fa/verify',
  'post /sms/send',
  'post /webhooks',
  'post /webhooks/preview',
  'post /webhooks/{id}/rotate',
  'post /webhooks/{id}/test',
  'put /webhooks/{id}/readings/{shape}',
]

const FOLDER = join(import.meta.dirname, '../../src/transport/http/routes')

type OwnedRoute = Exclude<Route, { readonly access: 'public' }>

const routes = (await declaredRoutes()).filter((route): route is OwnedRoute => route.access !== 'public')
const nameOf = ({ method, path }: Route) => `${method} ${path.replace('/api/v1', '')}`
const reachedBy = (role: Role) =>
  routes
    .filter(route => route.role === role)
    .map(nameOf)
    .sort()

test('the routes of a viewer and an operator are these; all others are the owner’s', () => {
  assert.deepEqual(reachedBy('viewer'), VIEWER)
  assert.deepEqual(reachedBy('operator'), OPERATOR)
  const owners = reachedBy('owner')
  for (const part of ['keys', 'users', 'notifications', 'audit'])
    assert.ok(owners.includes(`get /${part}`), `reading ${part} is the owner's`)
  // What a person does not look at alone is never a viewer's.
  for (const name of VIEWER.filter(one => !one.startsWith('get ')))
    assert.match(name, /session|account|logout/, `${name} changes something`)
})

/** Commands that only look, or whose caller is not known yet. */
const OF_NOBODY = [
  'configuration.find',
  'device-group.find',
  'device-group.list',
  'device.check-pairing',
  'device.find',
  'device.list',
  'device.pair',
  'drill.list',
  'gateway.check',
  'health.list',
  'invitation.take',
  'notification.find',
  'setup.complete',
  'two-factor.compare-try',
  'two-factor.count-try',
]

test('each route asks for a change in the name of its caller, so that it is in the audit list', () => {
  const anonymous = new Set<string>()
  for (const file of readdirSync(FOLDER)) {
    const source = readFileSync(join(FOLDER, file), 'utf8')
    // The name of a command, and the rest of the call, with its own brackets in two levels.
    const asked = source.matchAll(/\.ask\(\s*'([\w.-]+)'((?:[^()]|\((?:[^()]|\((?:[^()])*\))*\))*)\)/g)
    for (const [, name = '', rest = ''] of asked) if (!/\b(?:by|userId),?\s*$/.test(rest)) anonymous.add(name)
  }
  assert.deepEqual([...anonymous].sort(), OF_NOBODY)
})

suite('a call of every route', () => {
  let gateway: SharedGateway
  let account: TestAccount
  const users = new Map<Role, TestUser>()

  before(async () => {
    gateway = await sharedGateway()
    account = await gateway.newAccount()
    for (const role of ROLES)
      users.set(role, await addUser(gateway, account, { email: `${role}@roles.example.org`, role }))
  })

  const pathOf = ({ path }: Route) => path.replace(/\{(\w+)\}/g, 'none1')

  for (const role of ROLES)
    test(`by a user with the role ${role} is refused exactly where the role is not enough`, async () => {
      const user = users.get(role)
      assert.ok(user)
      // A token opens no route of the console alone.
      for (const route of routes.filter(({ access }) => access !== 'session')) {
        // A call may end its token.
        const token = await tokenOfUser(gateway, user)
        const method = route.method.toUpperCase()
        const json = route.body === 'none' ? {} : { json: {} }
        const answer = await gateway.call(method, pathOf(route), { token, ...json })
        const isAllowed = isAtLeast(role, route.role)
        const name = `${nameOf(route)}: ${answer.status} ${answer.text}`
        assert.notEqual(answer.status, 401, name)
        assert.equal(answer.status === 403 && /role/.test(answer.text), !isAllowed, name)
        if (!isAllowed) assert.match(answer.json?.error.message ?? '', RegExp(`role ${route.role}.*${role}`))
      }
    })

  test('with an API key is decided by the account alone', async () => {
    for (const route of routes.filter(({ access, path }) => access === 'key' && !path.includes('verify'))) {
      const json = route.body === 'none' ? {} : { json: {} }
      const answer = await gateway.call(route.method.toUpperCase(), pathOf(route), {
        key: account.liveKey,
        ...json,
      })
      assert.ok(![401, 403].includes(answer.status), `${nameOf(route)}: ${answer.status}`)
    }
  })
})
