/**
 * A table of refusals in the formats of Gotify and ntfy. Each has the format of that gateway, sends no text,
 * and contains no credential. Nor does the log.
 */
import assert from 'node:assert/strict'
import { after, afterEach, beforeEach, test } from 'node:test'
import type { CallOptions, SharedGateway, TestAccount, TestAnswer } from '#test/kit/gateway.ts'
import { PairedPhone } from '#test/kit/paired-phone.ts'
import { sharedGateway } from '#test/kit/shared-gateway.ts'
import { WebhookCalls } from '#test/kit/webhook-calls.ts'

let gateway: SharedGateway
let owner: TestAccount
let phone: PairedPhone

beforeEach(async () => {
  gateway = await sharedGateway()
  owner = await gateway.newAccount()
  phone = await PairedPhone.pair(gateway, owner.accountId)
  await phone.connect(gateway.url)
})
afterEach(() => phone.disconnect())

interface Shape {
  readonly name: string
  readonly send: (token: string, text: string) => Promise<TestAnswer>
  /** The status and message in the body of a refusal in this format. */
  readonly saidBy: (json: Record<string, unknown>) => readonly [status: unknown, words: unknown]
  /** The status of a refusal of an unknown token. */
  readonly unknown: number
}

/** From an address of its own, because wrong tokens are counted by address. */
const post = (path: string, options: CallOptions) =>
  gateway.call('POST', path, { ...options, headers: { 'X-Forwarded-For': '198.18.5.1' } })

const saidByNtfy: Shape['saidBy'] = ({ code, http, error }) => [
  Math.floor(Number(code) / 100) === http && http,
  error,
]

const SHAPES: readonly Shape[] = [
  {
    name: 'Gotify',
    send: (token, message) => post(`/message?token=${token}`, { json: { message } }),
    saidBy: ({ errorCode, errorDescription }) => [errorCode, errorDescription],
    unknown: 401,
  },
  {
    name: 'ntfy',
    send: (topic, body) => post(`/${topic}`, { body }),
    saidBy: saidByNtfy,
    unknown: 403,
  },
  {
    name: 'ntfy in JSON',
    send: (topic, message) => post('/', { json: { topic, message } }),
    saidBy: saidByNtfy,
    unknown: 403,
  },
]

async function tokenOf(account: TestAccount, fields: object = {}) {
  const calls = new WebhookCalls(gateway, account.token)
  const { id, url } = await calls.create(fields)
  return { id, calls, token: url.split('/').at(-1) ?? '' }
}

const CASES: readonly {
  readonly what: string
  /** null: the status for an unknown token. */
  readonly status: number | null
  readonly token: (shape: Shape) => Promise<string>
  readonly text?: string
}[] = [
  { what: 'an unknown token', status: null, token: async () => 'x'.repeat(40) },
  {
    what: 'a rotated token',
    status: null,
    token: async () => {
      const { calls, id, token } = await tokenOf(owner)
      await calls.rotate(id)
      return token
    },
  },
  {
    what: 'a disabled webhook',
    status: null,
    token: async () => (await tokenOf(owner, { enabled: false })).token,
  },
  {
    what: 'an address that may not trigger it',
    status: 403,
    token: async () => (await tokenOf(owner, { allowedIps: ['192.0.2.7'] })).token,
  },
  {
    what: 'a webhook over its cap',
    status: 429,
    token: async shape => {
      const { token } = await tokenOf(owner, { maxPerHour: 1, summarizeOverflow: false })
      const before = phone.sent.length
      assert.equal((await shape.send(token, 'first')).status, 200)
      await phone.whenSent(before + 1)
      return token
    },
  },
  {
    what: 'an account over its daily quota',
    status: 429,
    token: async () => {
      const account = await gateway.newAccount('no text')
      const other = await PairedPhone.pair(gateway, account.accountId)
      await other.connect(gateway.url)
      after(() => other.disconnect())
      return (await tokenOf(account)).token
    },
  },
  {
    what: 'an account without a phone',
    status: 503,
    token: async () => (await tokenOf(await gateway.newAccount())).token,
  },
  {
    what: 'a body that is too long',
    status: 413,
    token: async () => 'x'.repeat(40),
    text: 'x'.repeat(300_000),
  },
]

for (const shape of SHAPES)
  test(`${shape.name}: every refusal has its format, sends no text and contains no credential`, async () => {
    for (const { what, status, token, text = 'refused' } of CASES) {
      const credential = await token(shape)
      const before = phone.sent.length
      const answer = await shape.send(credential, text)
      const wanted = status ?? shape.unknown
      const [said, words] = shape.saidBy(JSON.parse(answer.text))
      assert.deepEqual([answer.status, said], [wanted, wanted], `${what}: ${answer.text}`)
      assert.ok(typeof words === 'string' && words.length > 5, answer.text)
      if (wanted === 429) assert.ok(Number(answer.headers.get('retry-after')) > 0, what)
      assert.ok(!answer.text.includes(credential), what)
      assert.ok(!JSON.stringify(gateway.log).includes(credential), what)
      assert.equal(phone.sent.length, before, what)
    }
  })

test('a message without a topic is refused, and so is a key instead of a token', async () => {
  const nowhere = await gateway.call('POST', '/', { json: { message: 'x' } })
  assert.deepEqual([nowhere.status, JSON.parse(nowhere.text).http], [400, 400])
  const keyed = await gateway.call('POST', `/message?token=${owner.liveKey}`, { json: { message: 'x' } })
  assert.deepEqual([keyed.status, JSON.parse(keyed.text).errorCode], [401, 401])
})
