import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { renderAlert, renderPreview } from '#domain/alert/render-alert.ts'
import { type AlertCase, readAlertCases, triggerRequest } from '#test/kit/alert-payloads.ts'

const cases = readAlertCases()

for (const [file, list] of cases) {
  suite(`${file}: a body gives the text that a person wants to read`, () => {
    for (const one of list) {
      test(one.name, () => {
        assert.deepEqual(renderAlert(requestOf(one), null), { message: one.text, format: one.format })
      })
    }
  })
}

test('where a text differs from the one that was wished for, both are printed', t => {
  const all = [...cases.values()].flat().filter(one => one.ideal !== undefined)
  const other = all.filter(one => renderAlert(requestOf(one), null).message !== one.ideal)
  for (const one of other) t.diagnostic(`${one.name}\n    ours  ${one.text}\n    ideal ${one.ideal}`)
  assert.ok(all.length > 40)
  assert.ok(other.length <= 12, `${other.length} of ${all.length} differ`)
})

test('a preview of a JSON value is what a request with it as its body gives', () => {
  for (const one of [...cases.values()].flat()) {
    if (typeof one.body !== 'object' || one.body === null || one.headers !== undefined) continue
    const expected = renderAlert(triggerRequest({ body: one.body }), null)
    assert.deepEqual(renderPreview(one.body, null), expected, one.name)
  }
})

test('a template comes before any recognition', () => {
  const body = { monitor: { name: 'NAS' }, heartbeat: { status: 0, msg: 'timeout' } }
  assert.deepEqual(renderAlert(triggerRequest({ body }), '{{monitor.name}}: {{heartbeat.msg}}'), {
    message: 'NAS: timeout',
    format: 'template',
  })
})

test('a template without a result falls to the automatic text', () => {
  for (const template of ['{{missing}}', ' {{a.b.c}} ', '{{message.x}}']) {
    assert.deepEqual(renderPreview({ message: 'Door open' }, template), {
      message: 'Door open',
      format: 'generic',
    })
  }
})

test('a text is cut at 480 units and says nothing of it', () => {
  assert.equal(renderPreview({ message: 'a'.repeat(1000) }, null).message, 'a'.repeat(480))
  assert.equal(renderPreview({ a: 'b'.repeat(1000) }, '{{a}}').message, 'b'.repeat(480))
})

test('a message alone is sent in the words of its sender', () => {
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

test('each generic field alone gives its text', () => {
  for (const field of ['message', 'text', 'title', 'body', 'summary']) {
    assert.deepEqual(renderPreview({ [field]: 'Door open' }, null), {
      message: 'Door open',
      format: 'generic',
    })
  }
})

test('a request that holds nothing still gives a text', () => {
  for (const body of ['', '{}', '[]', 'null', ' \n ', '{"a":null}', '[[[]]]']) {
    const { message } = renderAlert(triggerRequest({ body }), null)
    assert.equal(message, 'ALERT without details', JSON.stringify(body))
  }
})

test('a digest never holds a secret', () => {
  const payload = { door: 'open', token: 'abc', api_key: 'def', password: 'ghi', 'x-signature': 'jkl' }
  assert.deepEqual(renderPreview(payload, null), { message: 'door=open', format: 'digest' })
})

test('names of the object prototype are fields like any other', () => {
  const body = '{"__proto__":{"title":"polluted"},"constructor":"x","hasOwnProperty":1,"message":"Door open"}'
  assert.equal(renderAlert(triggerRequest({ body }), null).message, 'Door open')
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

test('recipients in a body are no more than words', () => {
  const text = renderPreview(
    { to: '+15550100', recipients: ['+15550101'], message: 'Door open' },
    null,
  ).message
  assert.equal(text, 'Door open')
})

function requestOf(one: AlertCase) {
  const { name: _, text: __, format: ___, ideal: ____, ...request } = one
  return triggerRequest(request)
}
