import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLog, LOG_BACKLOG_BYTES_MAX, type LogFields, type LogOptions } from '#app/log.ts'

const AT = '2026-01-15T12:00:00.000Z'

function log(options: Partial<Omit<LogOptions, 'stream'>> & { isTTY?: boolean } = {}) {
  const lines: string[] = []
  const { isTTY = false, ...rest } = options
  const stream = { isTTY, write: (text: string) => lines.push(text) }
  const made = createLog({ level: 'info', format: 'auto', wallMs: () => Date.parse(AT), ...rest, stream })
  return { lines, ...made }
}

/** The fields as they appear in the log. */
function logged(fields: LogFields): Record<string, unknown> {
  const { write, lines } = log()
  write('info', 'event', fields)
  const { at, level, event, ...rest } = JSON.parse(lines[0] ?? '')
  assert.deepEqual([at, level, event], [AT, 'info', 'event'])
  return rest
}

test('an event is one line of JSON, whatever its fields hold', () => {
  const { write, lines } = log()
  write('warn', 'odd', { text: 'a\nb', count: 3, none: null, yes: true })
  assert.deepEqual(lines, [
    `{"at":"${AT}","level":"warn","event":"odd","text":"a\\nb","count":3,"none":null,"yes":true}\n`,
  ])
})

test('a field cannot replace the time, the level or the event', () => {
  assert.deepEqual(logged({ level: 'error', event: 'x', at: 'y' }), {})
})

test('levels below the configured one are left out, entries of other threads as well', () => {
  const { write, entry, lines } = log({ level: 'warn' })
  write('debug', 'a', {})
  write('info', 'b', {})
  entry({ level: 'info', event: 'c', fields: {} })
  entry({ level: 'error', event: 'd', fields: {} })
  assert.deepEqual(
    lines.map(line => JSON.parse(line).event),
    ['d'],
  )
})

test('on a terminal an event is text, and nothing in it moves the cursor', () => {
  const { write, lines } = log({ isTTY: true })
  write('info', 'listening', { url: 'http://x', name: 'a b', evil: '\u001b[2J\u009b\u202e', count: 1 })
  assert.deepEqual(lines, [
    `${AT} INFO  listening url=http://x name="a b" evil="\\u001b[2J\\u009b\\u202e" count=1\n`,
  ])
})

test('a configured format overrides the default for the stream', () => {
  const json = log({ isTTY: true, format: 'json' })
  json.write('info', 'a', {})
  assert.equal(JSON.parse(json.lines[0] ?? '').event, 'a')
  const text = log({ format: 'text' })
  text.write('info', 'a', {})
  assert.equal(text.lines[0], `${AT} INFO  a\n`)
})

test('the secret part of a webhook address never reaches the log', () => {
  const token = 'a'.repeat(38)
  assert.deepEqual(
    logged({ path: `/api/v1/webhook/${token}`, cause: `GET http://x/api/v1/webhook/${token}?a=1` }),
    {
      path: '/api/v1/webhook/[redacted]',
      cause: 'GET http://x/api/v1/webhook/[redacted]?a=1',
    },
  )
})

test('a value that looks like a secret never reaches the log', () => {
  const secrets = [
    'sk_live_TYgyalb1B6ePPeiTyZ5MFvQVBGxuqwvUkMqjg9',
    'sk_test_x',
    'dvt_abc123',
    'stp_abc123',
    'inv_abc123',
    'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw+/==',
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.c2ln-_',
  ]
  for (const secret of secrets) {
    assert.deepEqual(logged({ a: secret, b: `Bearer ${secret}, again ${secret}` }), {
      a: '[redacted]',
      b: 'Bearer [redacted], again [redacted]',
    })
  }
})

test('phone numbers are masked in every field; other digits are not', () => {
  assert.deepEqual(logged({ a: 'to +14155550123: no', b: '2+2=4', c: 'msg_01M7YM6NGY', d: 14155550123 }), {
    a: 'to +1415•••0123: no',
    b: '2+2=4',
    c: 'msg_01M7YM6NGY',
    d: 14155550123,
  })
})

test('while the log is not read, few lines are kept, and later a line says how many were lost', () => {
  const lines: string[] = []
  const stream = { writableLength: 0, write: (text: string) => lines.push(text) }
  const { write } = createLog({ level: 'info', format: 'json', stream })
  const events = () => lines.splice(0).map(line => JSON.parse(line).event)
  write('info', 'a', {})
  assert.deepEqual(events(), ['a'])
  stream.writableLength = LOG_BACKLOG_BYTES_MAX + 1
  write('info', 'b', {})
  write('error', 'c', {})
  assert.deepEqual(events(), [])
  stream.writableLength = 0
  write('info', 'd', {})
  assert.equal(JSON.parse(lines[0] ?? '').lines, 2)
  assert.deepEqual(events(), ['log.lines_lost', 'd'])
  write('info', 'e', {})
  assert.deepEqual(events(), ['e'])
})
