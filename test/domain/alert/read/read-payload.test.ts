import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { parseJsonLoosely } from '#domain/alert/read/parse-json-loosely.ts'
import { readPayload } from '#domain/alert/read/read-payload.ts'
import { triggerRequest } from '#test/kit/alert-payloads.ts'

const FORM = 'application/x-www-form-urlencoded'
const JSON_TYPE = 'application/json'

function read(parts: Parameters<typeof triggerRequest>[0]): unknown {
  return JSON.parse(JSON.stringify(readPayload(triggerRequest(parts)).value))
}

const DISK_FULL = 'Disk full on nas: 95%'
const quoted = (text: string) => JSON.stringify(text)

suite('a body is read even if its content type is wrong', () => {
  const rows: readonly (readonly [name: string, contentType: string | null, body: string, value: unknown])[] =
    [
      ['JSON as JSON', JSON_TYPE, '{"a":1}', { a: 1 }],
      ['JSON with a charset', 'application/json; charset=utf-8', '{"a":"é"}', { a: 'é' }],
      ['JSON as a form', FORM, '{"a":"b=c"}', { a: 'b=c' }],
      ['JSON as text', 'text/plain', ' [1,{"a":2}] ', [1, { a: 2 }]],
      ['JSON without a type', null, '{"a":1}', { a: 1 }],
      ['JSON as multipart', 'multipart/form-data; boundary=x', '{"a":1}', { a: 1 }],
      ['JSON after a byte order mark', JSON_TYPE, '\ufeff{"a":1}', { a: 1 }],
      ['text as JSON', JSON_TYPE, '12 Scanned, 1 Updated', { message: '12 Scanned, 1 Updated' }],
      ['text as a form', FORM, 'Backup done in 12m', { message: 'Backup done in 12m' }],
      ['text with an equals sign as a form', FORM, 'load is a=5', { message: 'load is a=5' }],
      ['text in brackets', 'text/plain', '[nas] is down', { message: '[nas] is down' }],
      ['text in braces', 'text/plain', '{nas} is down', { message: '{nas} is down' }],
      [
        'a mail',
        'text/plain',
        'From: nut@nas\nSubject: On battery\n\n12 min left',
        { title: 'On battery', message: '12 min left' },
      ],
      [
        'a text with only a From line above it',
        'text/plain',
        'From: nas\nhello',
        { message: 'From: nas\nhello' },
      ],
      [
        'XML',
        'application/xml',
        '<?xml version="1.0"?><a:E><a:State>active</a:State><Name x="1">Gate</Name><Name>b</Name></a:E>',
        { State: 'active', Name: 'Gate' },
      ],
      [
        'XML under the content type of a form',
        FORM,
        '<alert level="2"><title>Fan</title><message>too hot</message></alert>\n',
        { title: 'Fan', message: 'too hot' },
      ],
      [
        'a text with words in angle brackets',
        'text/plain',
        '<nas01> <disk>sda</disk> <state>bad</state>',
        { message: '<nas01> <disk>sda</disk> <state>bad</state>' },
      ],
      [
        'HTML without a root',
        'text/html',
        '<div><p>nas</p><p>down</p></div>',
        { message: '<div><p>nas</p><p>down</p></div>' },
      ],
      [
        'HTML',
        'text/html',
        '<html><p>nas</p><p>down</p></html>',
        { message: '<html><p>nas</p><p>down</p></html>' },
      ],
      ['a JSON string', JSON_TYPE, '"Door open"', { message: 'Door open' }],
      ['a JSON number', JSON_TYPE, '42', { message: '42' }],
      ['a form', FORM, 'message=Water+leak&title=Cellar%21', { message: 'Water leak', title: 'Cellar!' }],
      ['a form that is not encoded', FORM, 'message=Water leak 100%', { message: 'Water leak 100%' }],
      [
        'a form with JSON in a field',
        FORM,
        'payload=%7B%22text%22%3A%22hi%22%7D',
        { payload: { text: 'hi' } },
      ],
      ['a value of a form without a name', FORM, 'Disk%20full%20on%20nas%3A%2095%25', { message: DISK_FULL }],
      ['the same with = before it', FORM, '=Disk%20full%20on%20nas%3A%2095%25', { message: DISK_FULL }],
      ['the same with = behind it', FORM, 'Disk+full+on+nas%3A+95%25=', { message: DISK_FULL }],
      ['JSON as a value without a name', FORM, encodeURIComponent('{"a":"b c"}'), { a: 'b c' }],
      ['JSON as a value with = before it', FORM, `=${encodeURIComponent('{"a":"b c"}')}`, { a: 'b c' }],
      ['a text with a percentage', FORM, '95%25', { message: '95%' }],
      ['a path of Windows in JSON', JSON_TYPE, '{"a":"of C:\\Data failed"}', { a: 'of C:\\Data failed' }],
      ['a path with letters that escape', JSON_TYPE, '{"a":"C:\\temp\\new"}', { a: 'C:\\temp\\new' }],
      ['a path that begins like a code', JSON_TYPE, '{"a":"C:\\users\\me"}', { a: 'C:\\users\\me' }],
      ['a path that is escaped', JSON_TYPE, '{"a":"C:\\\\temp\\\\new"}', { a: 'C:\\temp\\new' }],
      ['a line that ends with a colon', JSON_TYPE, '{"a":"Drive C:\\nFull"}', { a: 'Drive C:\nFull' }],
      ['backslashes that escape nothing', JSON_TYPE, '{"a":"\\\\\\\\nas\\share"}', { a: '\\\\nas\\share' }],
      ['JSON in a string in a string', JSON_TYPE, quoted(quoted('{"a":"b c"}')), { a: 'b c' }],
      ['text in a string in a string', JSON_TYPE, quoted(quoted('Door open')), { message: 'Door open' }],
      ['a form with a name twice', FORM, 'a=1&a=2', { a: '1' }],
      ['nothing', JSON_TYPE, '', {}],
    ]
  for (const [name, contentType, body, value] of rows) {
    test(name, () => assert.deepEqual(read({ contentType, body }), value))
  }
})

suite('a query is read', () => {
  test('as the payload of a GET', () => {
    assert.deepEqual(read({ method: 'GET', query: 'message=Water+leak&n=1' }), {
      message: 'Water leak',
      n: '1',
    })
  })
  test('with JSON in its values', () => {
    const query = `msg=x&heartbeat=${encodeURIComponent('{"status": 0}')}`
    assert.deepEqual(read({ method: 'GET', query }), { msg: 'x', heartbeat: { status: 0 } })
  })
  test('of a POST without a body', () => {
    assert.deepEqual(read({ query: 'name=Backup&status=down' }), { name: 'Backup', status: 'down' })
  })
  test('of a POST with plain text, below the text', () => {
    assert.deepEqual(read({ query: 'title=Disk&message=x', body: 'full' }), {
      title: 'Disk',
      message: 'full',
    })
  })
  test('with names of the object prototype as plain field names', () => {
    const value = readPayload(triggerRequest({ method: 'GET', query: '__proto__=x&constructor=y' })).value
    assert.deepEqual(Object.entries(value ?? {}), [
      ['__proto__', 'x'],
      ['constructor', 'y'],
    ])
  })
})

test('the title of plain text comes from a header', () => {
  const parts = { contentType: 'text/plain', body: '/ is at 96%', headers: { title: 'Disk nearly full' } }
  assert.deepEqual(read(parts), { message: '/ is at 96%', title: 'Disk nearly full' })
  assert.deepEqual(read({ ...parts, body: '{"message":"x"}' }), { message: 'x' })
})

test('a title in encoded words is decoded, and a malformed one is unchanged', () => {
  const titleOf = (title: string): unknown =>
    read({ contentType: 'text/plain', body: 'x', headers: { title } })
  assert.deepEqual(titleOf('=?UTF-8?B?8J+UtCBEaXNrIHBsZWlu?='), { message: 'x', title: '🔴 Disk plein' })
  assert.deepEqual(titleOf('=?utf-8?q?Disk_=C3=A9?= =?utf-8?q?t?= ok'), { message: 'x', title: 'Disk ét ok' })
  assert.deepEqual(titleOf('=?UTF-8?B?***?='), { message: 'x', title: '=?UTF-8?B?***?=' })
  assert.deepEqual(titleOf('=?klingon?B?YQ==?='), { message: 'x', title: 'a' })
})

suite('multipart', () => {
  const type = 'multipart/form-data; boundary=XX'
  const part = (head: string, body: string): string =>
    `--XX\r\nContent-Disposition: form-data; ${head}\r\n\r\n${body}\r\n`
  test('fields are read and files are skipped', () => {
    const file = part('name="f"; filename="a.txt"', 'secret')
    const body = `${part('name="message"', 'Water\r\nleak')}${file}${part('name="n"', '1')}--XX--\r\n`
    assert.deepEqual(read({ contentType: type, body }), { message: 'Water\r\nleak', n: '1' })
  })
  test('JSON in a field is parsed', () => {
    const body = `${part('name="payload"', '{"event":"media.play"}')}--XX--\r\n`
    assert.deepEqual(read({ contentType: type, body }), { payload: { event: 'media.play' } })
  })
  test('a body that ends early keeps its complete fields', () => {
    assert.deepEqual(read({ contentType: type, body: `${part('name="a"', '1')}--XX\r\nContent-Dis` }), {
      a: '1',
    })
  })
  test('a body without any part is plain text', () => {
    assert.deepEqual(read({ contentType: type, body: 'Door open' }), { message: 'Door open' })
    assert.deepEqual(read({ contentType: 'multipart/form-data', body: 'Door open' }), {
      message: 'Door open',
    })
  })
})

suite('bytes that are not UTF-8', () => {
  test('are read in the charset that is declared', () => {
    const body = new Uint8Array([0x70, 0x65, 0x72, 0xe9])
    assert.deepEqual(read({ contentType: 'text/plain; charset=ISO-8859-1', body }), { message: 'peré' })
  })
  test('are windows-1252 when none is declared', () => {
    assert.deepEqual(read({ body: new Uint8Array([0x61, 0xff, 0x62]) }), { message: 'aÿb' })
  })
  test('are UTF-8 when the charset is unknown', () => {
    assert.deepEqual(read({ contentType: 'text/plain; charset=klingon', body: 'é' }), { message: 'é' })
  })
})

suite('broken JSON is repaired', () => {
  const rows: readonly (readonly [broken: string, value: unknown])[] = [
    ['{"a":"x\ny\tz"}', { a: 'x\ny\tz' }],
    ['{"a":"\\n\n\\"\n"}', { a: '\n\n"\n' }],
    ['{"a":1,}', { a: 1 }],
    ['[{"a":1},]', [{ a: 1 }]],
    ['{"a":"He said "hi" to me"}', { a: 'He said "hi" to me' }],
    ["{'a': None, 'b': True}", { a: null, b: true }],
    ['{"a": , "b": 1}', { a: null, b: 1 }],
    ['{"a": {"b": "xx', { a: { b: 'xx' } }],
    ['{name: web-01, status: down}', { name: 'web-01', status: 'down' }],
    ['{"a":1} // comment', { a: 1 }],
  ]
  for (const [broken, value] of rows) {
    test(JSON.stringify(broken), () => {
      assert.deepEqual(JSON.parse(JSON.stringify(parseJsonLoosely(broken))), value)
    })
  }
  for (const text of ['', 'hello', '[nas] down', '{nas} down', '<a>', '{{{{', '[FIRING:1] x', '-', '"open']) {
    test(`but not a text: ${JSON.stringify(text)}`, () => assert.equal(parseJsonLoosely(text), undefined))
  }
})

test('raw newlines are repaired up to the end of a long body', () => {
  const log = 'a line of a log\n'.repeat(1000)
  assert.deepEqual(read({ body: `{"log":"${log}","message":"Door\nopen"}` }), { log, message: 'Door\nopen' })
})

test('values below 32 levels become null', () => {
  const deep = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`
  assert.deepEqual(read({ body: deep(32) }), JSON.parse(deep(32)))
  assert.deepEqual(read({ body: deep(10_000) }), JSON.parse(deep(32).replace('1', 'null')))
})
