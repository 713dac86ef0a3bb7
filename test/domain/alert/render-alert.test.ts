import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { RenderedAlert } from '#contracts/alert-reading.ts'
import { renderAlert, renderPreview } from '#domain/alert/render-alert.ts'
import { triggerRequest } from '#test/kit/alert-payloads.ts'
import { corpus } from '#test/kit/rendered-corpus.ts'
import { sized } from '#test/kit/test-size.ts'

test('a preview of a JSON value equals the text of a request with this body', () => {
  for (const { one, alert } of corpus) {
    if (typeof one.body !== 'object' || one.body === null || one.headers !== undefined) continue
    const isBare = one.method === undefined && one.query === undefined && one.contentType === undefined
    const expected = isBare ? alert : renderAlert(triggerRequest({ body: one.body }), null)
    assert.deepEqual(renderPreview(one.body, null), expected, one.name)
  }
})

test('a value that is also the name of a member of every object gives a text', () => {
  for (const [index, { one }] of corpus.entries()) {
    if (typeof one.body !== 'object' || one.body === null || index % sized(4, 1) !== 0) continue
    const body = JSON.parse(JSON.stringify(one.body, (_, value) => (isScalar(value) ? 'constructor' : value)))
    assert.notEqual(renderAlert(triggerRequest({ body }), null).message, '', one.name)
  }
})

test('lists in lists beyond the greatest depth give an alert without details', () => {
  const body = `${'['.repeat(5000)}1${']'.repeat(5000)}`
  assert.equal(renderAlert(triggerRequest({ body }), null).message, 'ALERT without details')
})

test('a template is used before any sender is recognised', () => {
  const body = { monitor: { name: 'NAS' }, heartbeat: { status: 0, msg: 'timeout' } }
  assert.deepEqual(told(renderAlert(triggerRequest({ body }), '{{monitor.name}}: {{heartbeat.msg}}')), {
    message: 'NAS: timeout',
    format: 'template',
    severity: 'critical',
    state: 'firing',
  })
})

test('an alert is urgent only if its sender states that it is critical', () => {
  const critical = { status: 'firing', labels: { alertname: 'InstanceDown', severity: 'critical' } }
  const bodies: readonly (readonly [object, boolean])[] = [
    [{ monitor: { name: 'NAS' }, heartbeat: { status: 0, msg: 'timeout' } }, false],
    [{ title: 'NAS', message: 'is down' }, false],
    [{ title: 'NAS', severity: 'warning', message: 'is down' }, false],
    [{ title: 'NAS', severity: 'critical', message: 'is down' }, true],
    [{ host: 'NAS', state: 'CRITICAL', output: 'disk full' }, true],
    [{ version: '4', status: 'firing', alerts: [critical] }, true],
    [{ topic: 'home', message: 'fire', priority: 5 }, true],
  ]
  for (const [body, isUrgent] of bodies)
    assert.equal(renderAlert(triggerRequest({ body }), null).isUrgent, isUrgent, JSON.stringify(body))
})

test('a template with an empty result is replaced by the automatic text', () => {
  for (const template of ['{{missing}}', ' {{a.b.c}} ', '{{message.x}}']) {
    assert.deepEqual(told(renderPreview({ message: 'Door open' }, template)), {
      message: 'Door open',
      format: 'generic',
      severity: null,
      state: null,
    })
  }
})

suite('severity and state are returned beside the text, for filters', () => {
  const group = (status: string, severity?: string) => ({
    status,
    alerts: [{ status, labels: { alertname: 'DiskFull', ...(severity === undefined ? {} : { severity }) } }],
  })
  const rows: readonly (readonly [
    name: string,
    body: unknown,
    severity: string | null,
    state: string | null,
  ])[] = [
    ['a monitor that is down', { monitor: 'web', status: 'down' }, 'critical', 'firing'],
    ['a monitor that is up', { monitor: 'web', status: 'up' }, null, 'recovered'],
    ['a firing group with a label', group('firing', 'warning'), 'warning', 'firing'],
    ['a firing group without a label', group('firing'), null, 'firing'],
    ['a resolved group keeps its label', group('resolved', 'warning'), 'warning', 'recovered'],
    ['an information', { title: 'Update', message: 'v2 is out', severity: 'info' }, 'info', 'notice'],
    ['a rank beside a state', { name: 'web', status: 'failed', severity: 'warning' }, 'warning', 'firing'],
    [
      'a good word beside a bad severity, which is in doubt',
      { name: 'web', status: 'ok', severity: 'critical' },
      'critical',
      'firing',
    ],
    ['a test', { title: 'Test notification' }, null, 'test'],
    ['an acknowledgement', { service: 'web', state: 'acknowledged' }, null, 'acknowledged'],
    ['a plain message that says the state', { message: 'disk failed' }, 'critical', 'firing'],
    ['a plain message without a state', { message: 'Door open' }, null, null],
    ['a digest', { door: 'open' }, null, null],
  ]
  for (const [name, body, severity, state] of rows) {
    test(name, () => {
      const rendered = renderPreview(body, null)
      assert.deepEqual([rendered.severity, rendered.state], [severity, state], rendered.message)
      const filled = renderPreview(body, 'A text of my own')
      assert.deepEqual([filled.severity, filled.state], [severity, state], 'with a template')
    })
  }
})

test('of thousands of fields the first are read, a template reaches all, and nothing is sure', () => {
  const many = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`field${at}`, `v${at}`]))
  const body = { status: 'resolved', name: 'nas', parts: { ...many, worst: 'down' } }
  const { message, state } = renderAlert(triggerRequest({ body }), null)
  assert.equal(state, 'firing', message)
  assert.equal(renderAlert(triggerRequest({ body }), '{{parts.worst}}').message, 'down')
})

test('an attached file is left out, and the message is kept', () => {
  const base64 = 'A'.repeat(533_000)
  const attachments = [{ filename: 'a.jpg', mimetype: 'image/jpeg', base64 }]
  const payload = { title: 'Motion in the garden', message: 'Camera 2', type: 'info', attachments }
  assert.equal(renderPreview(payload, null).message, 'Motion in the garden: Camera 2')
  const image = `/9j/4AAQSkZJRgABAQ${'Ab3/'.repeat(20_000)}`
  const body = { door: 'open', data: image }
  assert.equal(renderAlert(triggerRequest({ body }), null).message, 'door=open')
})

suite("an alert without a severity gets one from ntfy's priority and tags", () => {
  const rows: readonly (readonly [headers: Record<string, string>, body: string, severity: string | null])[] =
    [
      [{ priority: '5' }, 'Door open', 'critical'],
      [{ 'x-priority': 'high' }, 'Door open', 'warning'],
      [{ p: 'min' }, 'Door open', 'info'],
      [{ prio: 'default' }, 'Door open', null],
      [{ tags: 'door,rotating_light' }, 'Door open', 'critical'],
      [{ priority: 'u=1, i' }, 'Door open', null],
      [{ priority: '5' }, '{"title":"Update","severity":"info"}', 'info'],
      [{}, '{"topic":"home","message":"Door open","priority":4}', 'warning'],
      [{}, '{"message":"Door open","priority":4}', null],
    ]
  for (const [headers, body, severity] of rows) {
    test(`${JSON.stringify(headers)} and ${body}`, () => {
      assert.equal(renderAlert(triggerRequest({ headers, body }), null).severity, severity)
    })
  }
})

test('a text is cut at 480 units without a mark', () => {
  assert.equal(renderPreview({ message: 'a'.repeat(1000) }, null).message, 'a'.repeat(480))
  assert.equal(renderPreview({ a: 'b'.repeat(1000) }, '{{a}}').message, 'b'.repeat(480))
})

test('a message without other fields is sent unchanged', () => {
  for (const text of [
    'Server is down',
    'This is a test',
    'Error: disk full',
    '3 failed',
    'All good (really)',
    'Test',
  ]) {
    assert.equal(renderPreview({ message: text }, null).message, text)
    assert.equal(renderAlert(triggerRequest({ contentType: 'text/plain', body: text }), null).message, text)
  }
})

test('each generic field alone becomes the text', () => {
  for (const field of ['message', 'text', 'title', 'body', 'summary']) {
    assert.deepEqual(told(renderPreview({ [field]: 'Door open' }, null)), {
      message: 'Door open',
      format: 'generic',
      severity: null,
      state: null,
    })
  }
})

test('an empty request still gives a text', () => {
  for (const body of ['', '{}', '[]', 'null', ' \n ', '{"a":null}', '[[[]]]']) {
    const { message } = renderAlert(triggerRequest({ body }), null)
    assert.equal(message, 'ALERT without details', JSON.stringify(body))
  }
})

test('a digest never contains a secret', () => {
  const payload = { door: 'open', token: 'abc', api_key: 'def', password: 'ghi', 'x-signature': 'jkl' }
  const { message, format } = renderPreview(payload, null)
  assert.deepEqual({ message, format }, { message: 'door=open', format: 'digest' })
})

test('names of the object prototype are fields like any other', () => {
  const body = '{"__proto__":{"title":"polluted"},"constructor":"x","hasOwnProperty":1,"message":"Door open"}'
  const { message } = renderAlert(triggerRequest({ body }), null)
  assert.equal(message, 'Door open (polluted, own property 1)')
  assert.equal(
    renderAlert(triggerRequest({ body }), '{{__proto__.title}} {{constructor}}').message,
    'polluted x',
  )
  assert.equal(
    renderAlert(triggerRequest({ body: '{"a":1}' }), '[{{constructor.name}}{{__proto__}}]').message,
    '[]',
  )
  assert.equal(Object.hasOwn(Object.prototype, 'title'), false)
})

test('recipients in a body do not change who is texted', () => {
  const text = renderPreview(
    { to: '+15550100', recipients: ['+15550101'], message: 'Door open' },
    null,
  ).message
  assert.equal(text, 'Door open')
})

/** The rendered alert without how it was read. */
function told({ reading: _, isUrgent: __, ...rest }: RenderedAlert) {
  return rest
}

/** The expected result of a case, with severity and state only if the case has them. */
function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value === null
}

test('no field, name of a field or template turns the direction of a text or hides in it', () => {
  const marks = ['\u202e', '\u2067', '\u061c', '\u200f', '\u200b']
  for (const mark of marks) {
    const bodies = [
      { [`event${mark}`]: `door${mark}_open`, garage: 1 },
      { title: `up${mark} side`, message: `Ser${mark}vice: x\nFoo${mark}: bar\nBaz: z` },
      { status: 'ok', parts: { [`d${mark}b`]: { state: 'down' } } },
    ]
    const texts = bodies.map(body => renderAlert(triggerRequest({ body }), null).message)
    assert.deepEqual(
      texts.filter(text => text.includes(mark)),
      [],
      `U+${mark.charCodeAt(0).toString(16)}`,
    )
  }
  const body = { 'a\u202eb': 'x\u202ey', who: '👩‍👩‍👧' }
  assert.equal(renderAlert(triggerRequest({ body }), '{{a\u202eb}} \u2066{{who}}').message, 'xy 👩‍👩‍👧')
})

/** Much more than any of these bodies takes, and much less than an expression without end. */
const PUMPED_CPU_MS_MAX = 1_500
const HEAD = 'Subject: disk full\nFrom: nas@example.com'
const fill = (text: string, length: number) => text.repeat(length / text.length)
const values = (count: number, value: string) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`subject${fill('x', at + 1)}`, value]))

for (const [what, body] of [
  ['a name of a field of a mail', `${HEAD}\n(x+x+)+y: 1\n${fill('x', 60)}: 1\n\nA disk is full.`],
  ['the name of an event', { status: 'down', type: `a${fill('-', 200)}!` }],
  [
    'values without a space',
    { name: 'shop', type: 'website', is_ok: 0, ...values(150, `ok ${fill('ab', 8180)}`) },
  ],
  [
    'a hidden element',
    { status: 'down', message: `<a ${fill('display:none ', 4_004)}>${fill('x', 4_000)}<b>` },
  ],
  ['an update of a problem', { message: `Updated problem in 5m: x\nu${fill(' closed', 8_120)}` }],
] as const)
  test(`${what} that is made to take long costs little CPU time`, () => {
    const request = triggerRequest({ body })
    const before = process.threadCpuUsage()
    renderAlert(request, null)
    const { user, system } = process.threadCpuUsage(before)
    assert.ok((user + system) / 1000 < PUMPED_CPU_MS_MAX, `${(user + system) / 1000} ms`)
  })
