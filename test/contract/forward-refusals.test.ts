/** Services that do not take a text, each as it documents that: the text waits as long as it says. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { ForwardKind } from '#contracts/forward.ts'
import { KNOWN, type ServiceRefusal } from '#test/kit/chat-services.ts'
import { ForwardingGateway } from '#test/kit/forwarding-gateway.ts'
import { nextLook } from '#test/kit/next-turn.ts'

const rig = new ForwardingGateway()
let settings: Awaited<ReturnType<typeof rig.settingsOfAll>>

before(async () => {
  await rig.start()
  settings = await rig.settingsOfAll()
})
after(() => rig.stop())

interface Tried {
  readonly kind: ForwardKind
  /** Changes to the settings of the kind. */
  readonly change?: object
}

/** Tests a forward of this kind, and returns the delivery after its first attempt. */
async function tried({ kind, change }: Tried) {
  const { id } = await rig.create({ kind, ...settings[kind], ...change })
  const tested = await rig.call('POST', `/forwards/${id}/test`)
  await rig.settled()
  const path = `/notifications/deliveries/${tested.json?.data['id']}`
  const { json, text } = await rig.call('GET', path)
  const delivery = json?.data as unknown as {
    readonly status: string
    readonly lastResponseStatus: number | null
    readonly nextAttemptAt: string | null
    readonly attempts: readonly { readonly at: string }[]
  }
  for (const secret of Object.values(KNOWN)) assert.ok(!text.includes(secret), 'no credential is shown')
  return { id, path, delivery, text }
}

/** Each service's word for "not so fast", and the seconds that it asks for. */
const LIMITS: readonly (readonly [ForwardKind, ServiceRefusal, seconds: number])[] = [
  ['ntfy', { status: 429, body: { code: 42901, http: 429 }, headers: { 'retry-after': '1800' } }, 1800],
  ['gotify', { status: 503, body: 'behind a proxy', headers: { 'retry-after': '1200' } }, 1200],
  [
    'telegram',
    {
      status: 429,
      body: {
        ok: false,
        error_code: 429,
        description: 'Too Many Requests',
        parameters: { retry_after: 900 },
      },
    },
    900,
  ],
  ['matrix', { status: 429, body: { errcode: 'M_LIMIT_EXCEEDED', retry_after_ms: 2_000_000 } }, 2000],
  [
    'matrix',
    { status: 429, body: { errcode: 'M_LIMIT_EXCEEDED' }, headers: { 'retry-after': '1100' } },
    1100,
  ],
  ['slack', { status: 429, body: 'rate_limited', headers: { 'retry-after': '1300' } }, 1300],
  [
    'discord',
    {
      status: 429,
      body: { message: 'You are being rate limited.', retry_after: 1399.57, global: false },
      headers: { 'retry-after': '1400', 'x-ratelimit-scope': 'shared' },
    },
    1400,
  ],
]

for (const [kind, refusal, seconds] of LIMITS)
  test(`${kind} says how long to wait (${seconds} s), and gets the text once after it`, async () => {
    rig.services.refusals.set(kind, refusal)
    const { id, path, delivery } = await tried({ kind })
    assert.deepEqual([delivery.status, delivery.lastResponseStatus], ['pending', refusal.status])
    const [{ at = '' } = {}] = delivery.attempts
    const pauseMs = Date.parse(delivery.nextAttemptAt ?? '') - Date.parse(at)
    // The pause begins with the end of the attempt.
    assert.ok(pauseMs >= seconds * 1000 && pauseMs < (seconds + 60) * 1000, `${pauseMs} ms`)
    rig.services.refusals.delete(kind)
    const shown = rig.services.shown.length
    assert.equal((await rig.call('POST', `${path}/replay`)).status, 200)
    while ((await rig.call('GET', path)).json?.data['status'] !== 'delivered') await nextLook()
    assert.equal(rig.services.shown.length, shown + 1)
    await rig.call('DELETE', `/forwards/${id}`)
  })

/** What services say of a setting that is wrong for good, or no longer right. */
const FAULTS: readonly (readonly [ForwardKind, ServiceRefusal])[] = [
  ['ntfy', { status: 403, body: { code: 40301, http: 403, error: 'forbidden' } }],
  ['gotify', { status: 401, body: { error: 'Unauthorized', errorCode: 401 } }],
  ['telegram', { status: 403, body: { ok: false, description: 'Forbidden: bot was blocked by the user' } }],
  ['telegram', { status: 400, body: { ok: false, description: 'Bad Request: chat not found' } }],
  ['matrix', { status: 401, body: { errcode: 'M_UNKNOWN_TOKEN', error: 'Unknown access token' } }],
  ['slack', { status: 404, body: 'no_service' }],
  ['discord', { status: 404, body: { message: 'Unknown Webhook', code: 10015 } }],
]

for (const [kind, refusal] of FAULTS)
  test(`${kind} refuses with ${refusal.status}: it is tried again, and its words are shown`, async () => {
    rig.services.refusals.set(kind, refusal)
    const { id, delivery, text } = await tried({ kind })
    rig.services.refusals.delete(kind)
    assert.deepEqual([delivery.status, delivery.lastResponseStatus], ['pending', refusal.status])
    const words = typeof refusal.body === 'string' ? refusal.body : Object.values(Object(refusal.body)).at(-1)
    assert.ok(text.includes(String(words)), text)
    const { json } = await rig.call('GET', `/forwards/${id}`)
    assert.notEqual(json?.data['failingSince'], null)
    await rig.call('DELETE', `/forwards/${id}`)
  })

test('a channel of Slack that is archived (410) switches the forward off', async () => {
  rig.services.refusals.set('slack', { status: 410, body: 'channel_is_archived' })
  const { id, delivery } = await tried({ kind: 'slack' })
  rig.services.refusals.delete('slack')
  assert.notEqual(delivery.status, 'pending')
  const { json } = await rig.call('GET', `/forwards/${id}`)
  assert.deepEqual([json?.data['enabled'], json?.data['disabledReason']], [false, 'GONE'])
  await rig.call('DELETE', `/forwards/${id}`)
})

test('a redirect of a service is followed nowhere', async () => {
  const location = rig.at('/elsewhere')
  rig.services.refusals.set('gotify', { status: 308, body: '', headers: { location } })
  const { id, delivery } = await tried({ kind: 'gotify' })
  rig.services.refusals.delete('gotify')
  assert.deepEqual([delivery.status, delivery.lastResponseStatus], ['pending', 308])
  assert.ok(rig.receiver.requests.every(({ path }) => path !== '/elsewhere'))
  await rig.call('DELETE', `/forwards/${id}`)
})

test('a mail that the server does not take now (451), or never (550), is tried again', async () => {
  for (const mailFault of [
    { responseCode: 451, message: '4.7.1 Greylisting in action, please come back later' },
    { responseCode: 550, message: '5.1.1 <ada@example.net>: Recipient address rejected' },
  ]) {
    rig.mailFault = mailFault
    const { id, delivery, text } = await tried({ kind: 'email' })
    rig.mailFault = null
    assert.deepEqual([delivery.status, delivery.lastResponseStatus], ['pending', mailFault.responseCode])
    assert.ok(text.includes(mailFault.message), text)
    await rig.call('DELETE', `/forwards/${id}`)
  }
})

test('a long text is as long as each service takes it, and whole where it can be', async () => {
  const kinds = ['ntfy', 'gotify', 'telegram', 'matrix', 'slack', 'discord', 'email'] as const
  const made = await Promise.all(kinds.map(kind => rig.create({ kind, ...settings[kind], name: kind })))
  const message = '長'.repeat(4500)
  await rig.phone.reportReceived({ id: 'long', from: '+14155550144', message })
  await rig.settled()
  const shown = rig.services.shown.filter(({ text }) => text.includes('長'))
  const lengths = Object.fromEntries(shown.map(({ service, text }) => [service, text.length]))
  const whole = 'Text from +14155550144:\n'.length + message.length
  assert.deepEqual(lengths, {
    ntfy: 1365,
    gotify: 4500,
    telegram: 4096,
    matrix: whole,
    slack: whole,
    discord: 2000,
  })
  for (const { id } of made) await rig.call('DELETE', `/forwards/${id}`)
})

test('a sender’s name adds no line to the head of a mail or a request', async () => {
  const kinds = ['ntfy', 'email'] as const
  const made = await Promise.all(kinds.map(kind => rig.create({ kind, ...settings[kind], name: kind })))
  const from = 'Evil\r\nBcc: all@example.org\r\nX-Evil: 1'
  await rig.phone.reportReceived({ id: 'evil', from, message: 'Hello' })
  await rig.settled()
  const [head = ''] = (rig.mails.at(-1) ?? '').split('\r\n\r\n')
  assert.doesNotMatch(head, /^(?:bcc|x-evil):/im)
  const request = rig.receiver.requests.findLast(({ path }) => path.startsWith('/ntfy'))
  assert.equal(request?.headers['x-evil'], undefined)
  for (const { id } of made) await rig.call('DELETE', `/forwards/${id}`)
})

test('all failed deliveries of forwards are sent again in one call, without a URL for events', async () => {
  rig.services.refusals.set('slack', { status: 410, body: 'channel_is_archived' })
  const since = new Date(Date.now() - 60_000).toISOString()
  const { id, path } = await tried({ kind: 'slack' })
  const replay = () => rig.call('POST', '/notifications/deliveries/replay', { since })
  assert.equal((await replay()).status, 409, 'it has nowhere to go')
  rig.services.refusals.delete('slack')
  await rig.call('PATCH', `/forwards/${id}`, { enabled: true })
  const shown = rig.services.shown.length
  assert.deepEqual((await replay()).json?.data, { replayed: 1, more: false })
  while ((await rig.call('GET', path)).json?.data['status'] !== 'delivered') await nextLook()
  assert.equal(rig.services.shown.length, shown + 1)
})
