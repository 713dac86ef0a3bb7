import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { AlertReading, FieldRole } from '#contracts/alert-reading.ts'
import { renderAlert } from '#domain/alert/render-alert.ts'
import { triggerRequest } from '#test/kit/alert-payloads.ts'

function readingOf(body: unknown): AlertReading {
  const { reading } = renderAlert(triggerRequest({ body }), null)
  assert.ok(reading !== null)
  return reading
}

function pathsOf({ fields }: AlertReading): readonly string[] {
  return fields.map(({ path }) => path)
}

function pathOf({ fields }: AlertReading, role: FieldRole): string | undefined {
  return fields.find(field => field.role === role)?.path
}

const MAIL =
  'From: nas@example.com\nTo: me@example.com\nSubject: Disk report\n\nHost: nas\nVolume: data\nUsed: 91 %\n'

suite('fields have the paths of templates', () => {
  const rows: readonly (readonly [name: string, body: unknown, paths: readonly string[]])[] = [
    ['nested JSON and lists', { a: { b: 1 }, c: [{ d: null }, 'x'] }, ['a.b', 'c.1', 'c.0.d']],
    [
      'JSON inside a string',
      { Type: 'Notification', Message: '{"AlarmName":"cpu","NewStateValue":"ALARM"}' },
      ['Type', 'Message.AlarmName', 'Message.NewStateValue'],
    ],
    ['lines of a text', 'Host: nas\nUsed: 91 %\nVolume: data', ['message', 'Host', 'Used', 'Volume']],
    ['a mail', MAIL, ['from', 'to', 'subject', 'title', 'message', 'Host', 'Volume', 'Used']],
  ]
  for (const [name, body, paths] of rows) test(name, () => assert.deepEqual(pathsOf(readingOf(body)), paths))

  test('at most 200 fields are listed', () => {
    const body = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`k${index}`, index]))
    assert.equal(readingOf(body).fields.length, 200)
  })
})

test('a template reaches these paths, and what Roost read where the body has no such field', () => {
  const fill = (body: unknown, template: string) => renderAlert(triggerRequest({ body }), template).message
  assert.equal(fill(MAIL, '{{subject}}: {{Host}} {{Used}}'), 'Disk report: nas 91 %')
  const alarm = { Message: '{"AlarmName":"cpu","NewStateValue":"ALARM","NewStateReason":"94 > 90"}' }
  assert.equal(fill(alarm, '{{Message.AlarmName}} is {{Message.NewStateValue}}'), 'cpu is ALARM')
  const down = { monitor: 'web', status: 'down', message: 'timeout' }
  assert.equal(fill(down, '{{state}} / {{thing}} / {{reason}}'), 'DOWN / web / timeout')
  assert.equal(fill({ ...down, state: 'own' }, '{{state}}'), 'own')
  assert.equal(fill({ text: '<b>Disk</b> is *full*' }, '{{text}}'), 'Disk is full')
})

suite('the roles of fields', () => {
  test('are those of the text', () => {
    const reading = readingOf({ id: 7, unit: 'pump', status: 'failed', message: 'no pressure' })
    assert.equal(pathOf(reading, 'state'), 'status')
    assert.equal(pathOf(reading, 'reason'), 'message')
    assert.equal(reading.guess, true)
  })

  test('are not guessed for a known sender', () => {
    const reading = readingOf({ heartbeat: { status: 0, msg: 'timeout' }, monitor: { name: 'NAS' } })
    assert.equal(reading.guess, false)
    assert.equal(pathOf(reading, 'thing'), 'monitor.name')
    assert.equal(pathOf(reading, 'reason'), 'heartbeat.msg')
  })
})

suite('a settled reading', () => {
  const body = { a: 'pump', b: 'kaputt', c: 'no pressure', list: [{ x: 1 }] }
  const { shape } = readingOf(body)
  const settled = { [shape]: { thing: 'a', state: 'b', reason: 'c' } }

  test('makes the text, for each body of the shape', () => {
    const rendered = renderAlert(
      triggerRequest({ body: { ...body, list: [{ x: 1 }, { x: 2 }] } }),
      null,
      settled,
    )
    assert.equal(rendered.message, 'KAPUTT pump: no pressure')
    assert.equal(rendered.reading?.guess, false)
    assert.equal(rendered.reading?.key, 'thing:pump')
  })

  test('does not count for another shape', () => {
    const rendered = renderAlert(triggerRequest({ body: { ...body, d: 1 } }), null, settled)
    assert.equal(rendered.reading?.guess, true)
  })

  test('is ignored where its fields are missing', () => {
    const rendered = renderAlert(triggerRequest({ body }), null, { [shape]: { thing: 'gone' } })
    assert.equal(rendered.reading?.guess, true)
  })
})

suite('an alarm and its end have the same key', () => {
  const rows: readonly (readonly [alarm: unknown, end: unknown, key: string])[] = [
    ['Connection to nas is down', 'Connection to nas is up', 'thing:nas'],
    [{ title: 'UPS nas', status: 'down' }, { title: 'nas', status: 'up' }, 'thing:nas'],
    [
      { monitor: { id: 7, name: 'web' }, heartbeat: { status: 0 } },
      { monitor: { id: 7, name: 'web' }, heartbeat: { status: 1 } },
      'id:7',
    ],
    [
      {
        event_action: 'trigger',
        dedup_key: 'disk-nas',
        payload: { summary: 'Disk full', severity: 'critical' },
      },
      { event_action: 'resolve', dedup_key: 'disk-nas' },
      'id:disk-nas',
    ],
  ]
  for (const [alarm, end, key] of rows) {
    test(key, () => assert.deepEqual([readingOf(alarm).key, readingOf(end).key], [key, key]))
  }
})

test('AWS SNS asks to confirm: the address is returned, and the text fits one segment', () => {
  const token = '2336412f'.repeat(40)
  const SubscribeURL = `https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&Token=${token}`
  const TopicArn = 'arn:aws:sns:eu-west-1:123456789012:ops'
  const body = {
    Type: 'SubscriptionConfirmation',
    TopicArn,
    SubscribeURL,
    Message: 'You have chosen to subscribe',
  }
  const { message, reading } = renderAlert(triggerRequest({ body }), null)
  assert.equal(message, 'CONFIRM subscription: topic ops waits until you open its link')
  assert.equal(reading?.confirmationUrl, SubscribeURL)
  assert.equal(readingOf({ ...body, SubscribeURL: 'https://evil.example/?x' }).confirmationUrl, null)
  // An S3 bucket may have that name.
  const bucket = 'https://sns.s3.amazonaws.com/x'
  assert.equal(readingOf({ ...body, SubscribeURL: bucket }).confirmationUrl, null)
})

test('a path of two fields is the one that a template reaches', () => {
  const body = { 'a.b': 'pump', a: { b: 'boiler' }, x: 'broken', y: 'no pressure' }
  const { shape } = readingOf(body)
  const settled = renderAlert(triggerRequest({ body }), null, { [shape]: { thing: 'a.b', state: 'x' } })
  assert.equal(renderAlert(triggerRequest({ body }), '{{a.b}}').message, 'boiler')
  assert.match(settled.message, /^BROKEN boiler/)
})
