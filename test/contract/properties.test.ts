import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { toJsonSchema } from '@valibot/to-json-schema'
import fc from 'fast-check'
import { SetupRequest } from '#contracts/account.ts'
import type { CallOptions, TestAnswer } from '#test/kit/gateway.ts'
import { declaredRoutes } from '#test/kit/routes.ts'
import { type Faulty, type Schema, SchemaArbitraries } from '#test/kit/schema-arbitraries.ts'
import { sharedGateway } from '#test/kit/shared-gateway.ts'
import { sized } from '#test/kit/test-size.ts'
import { describeApi } from '#transport/http/openapi/describe-api.ts'

/** How often each property is tried on each route. */
const RUNS = sized(5, 40)
const SEED = Number(process.env['SEED'] ?? Date.now() % 2 ** 31)

const gateway = await sharedGateway()
const owner = await gateway.newAccount()
const { accountId } = owner
const pairing = await gateway.ask('device.create-pairing', { accountId, name: 'phone' })
const nameless = { name: null, platform: null, appVersion: null }
const { deviceId } = await gateway.ask('device.pair', { code: pairing.code, ...nameless })
const recipients = ['+14155550123']
const made = await gateway.call('POST', '/api/v1/webhooks', {
  token: owner.token,
  json: { name: 'a', recipients },
})
assert.ok(made.json?.success, made.text)
const { id: webhookId, token: secret } = made.json.data as Record<string, unknown>

/** Makes something of the owner's and returns its id. */
async function make(path: string, json: object): Promise<string> {
  const answer = await gateway.call('POST', `/api/v1/${path}`, { token: owner.token, json })
  assert.ok(answer.json?.success, answer.text)
  const { id } = answer.json.data as Record<string, unknown>
  return String(id)
}
const ada = await make('people', { name: 'Ada', phoneNumber: '+14155550124' })
const bob = await make('people', { name: 'Bob', phoneNumber: '+14155550125' })
const people = [ada, bob]
const rotaId = await make('rotas', { name: 'Week', people, days: 7, handover: 'mon 09:00' })
const deviceGroupId = await make('device-groups', { name: 'Office', devices: [deviceId] })
const groupId = await make('groups', { name: 'Team', people })
const ntfy = { kind: 'ntfy', url: 'https://ntfy.example/texts' }
const forwardId = await make('forwards', { name: 'Texts', ...ntfy })
const userId = await make('users', { email: 'bob@properties.example.org', role: 'viewer' })
const steps = [
  { afterMinutes: 0, tell: [ada, bob], ring: false },
  { afterMinutes: 5, tell: [rotaId, bob], ring: true },
]
const policyId = await make('policies', { name: 'Home', steps })
const incidentId = await make(`policies/${policyId}/rehearse`, {})
const quiet = { from: '22:00', to: '07:00', below: 'critical' }

/** Those of the console alone are in no document. */
const routes = (await declaredRoutes()).filter(({ access }) => access !== 'session')
const document = describeApi(routes, { version: '0.0.0', url: 'http://roost.test' })
const arbitraries = new SchemaArbitraries(document.components['schemas'] as Record<string, Schema>)
/** Values that meet the rules that no schema states. */
const KNOWN = {
  phoneNumber: '+15005550006',
  recipients,
  deviceId: null,
  deviceGroupId: null,
  webhookUrl: null,
  url: 'https://example.com/hook',
  allowedIps: ['10.0.0.0/8'],
  email: 'nobody@example.com',
}

/** How to call a route that takes a body or a query; `any`: the route accepts any shape. */
interface Line {
  readonly path?: string
  readonly any?: true
  /** A path that an answer may name in addition to the fault, or for the example. */
  readonly beside?: string
  /** Valid parameters of a query. */
  readonly query?: Readonly<Record<string, string>>
  /** Values instead of those of the example, which do not work in tests. */
  readonly good?: Readonly<Record<string, unknown>>
  /** The largest number of runs, for a route that is slow on purpose. */
  readonly runsMax?: number
}
const PAGE = { limit: '5', since: '2026-01-31T12:00:00.000Z' }
const LINES: Readonly<Record<string, Line>> = {
  'post /api/v1/auth/login': { runsMax: 3 },
  'post /api/v1/session': { runsMax: 3 },
  // The example's password is not the owner's.
  'patch /api/v1/account': { runsMax: 3, beside: 'currentPassword' },
  // The example's address would be called; the address of this machine is refused before that.
  'post /api/v1/devices': { beside: 'url', good: { url: 'http://127.0.0.1:1' } },
  'patch /api/v1/devices/{deviceId}': { path: `/api/v1/devices/${deviceId}` },
  'post /api/v1/devices/pairings': {},
  'patch /api/v1/configuration': {},
  'post /api/v1/keys': {},
  'post /api/v1/sms/send': {},
  'get /api/v1/sms': { query: { ...PAGE, status: 'sent', phoneNumber: '+14155550123' } },
  'get /api/v1/sms.csv': { query: { status: 'sent', phoneNumber: '+14155550123' } },
  'get /api/v1/received.csv': { query: { q: 'code', from: '+14155550123' } },
  'get /api/v1/usage/days.csv': { query: { days: '30' } },
  'get /api/v1/received': { query: { ...PAGE, q: 'code', from: '+14155550123' } },
  'get /api/v1/opt-outs': { query: { limit: '5', phoneNumber: '+14155550123' } },
  'post /api/v1/opt-outs': {},
  'get /api/v1/usage/days': { query: { days: '30' } },
  'put /api/v1/notifications': {},
  'get /api/v1/notifications/deliveries': { query: { ...PAGE, event: 'sms.sent' } },
  'post /api/v1/notifications/deliveries/replay': {},
  'post /device/v1/pair': {},
  'post /setup': { runsMax: 3 },
  'post /api/v1/webhook/{token}': { path: `/api/v1/webhook/${secret}`, any: true },
  'post /api/v1/webhook/{token}/{ping}': { path: `/api/v1/webhook/${secret}/fail`, any: true },
  'put /api/v1/webhook/{token}': { path: `/api/v1/webhook/${secret}`, any: true },
  'post /api/v1/sms/2fa': {},
  'post /api/v1/sms/2fa/verify': {},
  'get /api/v1/webhooks': { query: { lastAlert: 'true' } },
  'post /api/v1/webhooks': {},
  'patch /api/v1/webhooks/{id}': { path: `/api/v1/webhooks/${webhookId}` },
  // The example has a payload, so a body in addition to it is refused.
  'post /api/v1/webhooks/preview': { beside: 'payload' },
  'put /api/v1/webhooks/{id}/readings/{shape}': {
    path: `/api/v1/webhooks/${webhookId}/readings/0123456789abcdef`,
  },
  'post /api/v1/people': { good: { quiet } },
  'patch /api/v1/people/{id}': { path: `/api/v1/people/${ada}`, good: { quiet } },
  'post /api/v1/rotas': { good: { people } },
  'patch /api/v1/rotas/{id}': { path: `/api/v1/rotas/${rotaId}`, good: { people } },
  'post /api/v1/rotas/{id}/overrides': {
    path: `/api/v1/rotas/${rotaId}/overrides`,
    good: { personId: bob, from: '2099-01-01T12:00:00Z', until: '2099-01-02T12:00:00Z' },
  },
  'post /api/v1/device-groups': { good: { devices: [deviceId] } },
  'patch /api/v1/device-groups/{id}': {
    path: `/api/v1/device-groups/${deviceGroupId}`,
    good: { devices: [deviceId] },
  },
  'post /api/v1/groups': { good: { people } },
  'patch /api/v1/groups/{id}': { path: `/api/v1/groups/${groupId}`, good: { people } },
  // The kind decides which of the other fields there must be.
  'post /api/v1/forwards': { good: { ...ntfy, target: null, credential: null } },
  'patch /api/v1/forwards/{id}': { path: `/api/v1/forwards/${forwardId}`, good: { url: ntfy.url } },
  'post /api/v1/users': {},
  'patch /api/v1/users/{id}': { path: `/api/v1/users/${userId}` },
  'post /api/v1/invitations': { runsMax: 3 },
  'get /api/v1/audit': { query: PAGE },
  'get /api/v1/devices/{deviceId}/history': {
    path: `/api/v1/devices/${deviceId}/history`,
    query: { days: '2' },
  },
  // A step with a wrong time does not rise, either.
  'post /api/v1/policies': { beside: 'steps', good: { steps } },
  'patch /api/v1/policies/{id}': { path: `/api/v1/policies/${policyId}`, beside: 'steps', good: { steps } },
  'get /api/v1/incidents': { query: { limit: '5', state: 'open' } },
  'post /api/v1/incidents/{id}/take': {
    path: `/api/v1/incidents/${incidentId}/take`,
    good: { personId: ada, minutes: 30 },
  },
}

interface Target {
  readonly name: string
  readonly schema: Schema
  /** A value without a fault. */
  readonly good: Schema
  readonly line: Line
  ask(value: unknown): Promise<TestAnswer>
}

/** Calls from an address of its own, because wrong codes and passwords are counted by address. */
function call(method: string, path: string, options: CallOptions): Promise<TestAnswer> {
  return gateway.call(method, path, { ...options, headers: { 'X-Forwarded-For': '198.18.3.1' } })
}

const asking = routes.filter(({ body, operation }) => body !== 'none' || operation?.query !== undefined)

function targetOf({ method, path, body }: (typeof asking)[number]): Target {
  const name = `${method} ${path}`
  const line = LINES[name] ?? {}
  const operation = document.paths[path]?.[method] ?? {}
  const url = line.path ?? path
  const credential = path.startsWith('/api/v1/sms') ? { key: owner.testKey } : { token: owner.token }
  if (body === 'none') {
    const ask = (value: unknown) =>
      call('GET', `${url}?${new URLSearchParams(value as Record<string, string>)}`, credential)
    return { name, line, schema: querySchema(operation), good: {}, ask }
  }
  const ask = (json: unknown) => call(method.toUpperCase(), url, { ...credential, json })
  if (path === '/setup') {
    const schema = toJsonSchema(SetupRequest, { typeMode: 'input', errorMode: 'ignore' }) as Schema
    const good = { token: 'stp_wrong', email: KNOWN.email, password: 'long enough' }
    return { name, line, schema, good, ask }
  }
  const content = (operation['requestBody'] as { content: Record<string, Schema> }).content[
    'application/json'
  ]
  const good = { ...(content?.['example'] as Schema), ...line.good }
  return { name, line, schema: content?.['schema'] as Schema, good, ask }
}

/** The query parameters of an operation as the schema of one object. */
function querySchema(operation: Schema): Schema {
  const parameters = (operation['parameters'] as Schema[]).filter(one => one['in'] === 'query')
  const properties = Object.fromEntries(parameters.map(({ name, schema }) => [name, schema]))
  return { type: 'object', properties }
}

function check(target: Target, property: fc.IAsyncProperty<unknown>): Promise<void> {
  const numRuns = Math.min(RUNS, target.line.runsMax ?? RUNS)
  return fc.assert(property, { numRuns, seed: SEED, includeErrorInReport: true }) as Promise<void>
}

test('every route that takes a body or a query has a line, and every line has a route', () => {
  assert.deepEqual(asking.map(({ method, path }) => `${method} ${path}`).sort(), Object.keys(LINES).sort())
})

for (const target of asking.map(targetOf))
  describe(`${target.name}, with the seed ${SEED}`, () => {
    const { schema, good, line, ask } = target
    const known = Object.fromEntries(Object.entries({ ...KNOWN, ...good }))

    test('a value that its schema allows never causes a 500, and the example is accepted', async () => {
      const first = await ask(good)
      const refused = pathsOf(first)
      refused.delete(line.beside ?? '')
      assert.deepEqual([...refused], [], first.text)
      const values = line.any ? fc.jsonValue({ maxDepth: 4 }) : arbitraries.valid(schema, known)
      const property = fc.asyncProperty(
        values,
        fc.dictionary(fc.string(), line.query ? fc.string() : fc.jsonValue()),
        async (value, more) => {
          // Unknown fields are ignored.
          const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
          const answer = await ask(isObject && target.ask.length > 0 ? { ...more, ...value } : value)
          assert.ok(answer.status < 500, `${answer.status} ${answer.text}`)
          if (line.any) assert.notEqual(answer.status, 400, answer.text)
        },
      )
      await check(target, property)
    })

    if (!line.any)
      test('a value with one fault gets 400 with only the path of that fault', async () => {
        const property = fc.asyncProperty(faultsOf(target), async ({ path, value }) => {
          const answer = await ask(value)
          assert.equal(answer.status, 400, answer.text)
          const paths = pathsOf(answer)
          if (path !== line.beside) paths.delete(line.beside ?? '')
          assert.deepEqual([...paths], [path], answer.text)
        })
        await check({ ...target, line: {} }, property)
      })
  })

/** The paths of the faults in a 400 answer; empty for any other answer. */
function pathsOf({ json }: TestAnswer): Set<string> {
  return new Set(json?.error?.details?.issues?.map(issue => issue.path))
}

/** Values with one fault. For a query: only faults that its text can express, and repeated parameters. */
function faultsOf({ schema, good, line }: Target): fc.Arbitrary<Faulty> {
  const faults = arbitraries.faulty(schema, good)
  if (line.query === undefined) return faults
  const written = faults.filter(({ fault }) => fault !== 'wrong type' && fault !== 'missing')
  const examples = Object.entries(line.query)
  const twice = fc.constantFrom(...examples).map(one => ({ path: one[0], fault: 'twice', value: [one, one] }))
  return fc.oneof(written, twice)
}
