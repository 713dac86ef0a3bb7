import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import type { HostileGateway } from '#test/kit/hostile-gateway.ts'
import type { RequestParts } from '#test/kit/raw-http.ts'
import { sharedHostile } from '#test/kit/shared-gateway.ts'

const NUMBER = '+15005550006'
const TOO_LONG = 'x'.repeat(1601)
const GOOD_SEND = { phoneNumber: NUMBER, message: 'hello' }
type Case = readonly [name: string, body: unknown, paths: readonly string[]]

const SENDS: readonly Case[] = [
  ['an empty object', {}, ['message', 'phoneNumber']],
  ['no message', { phoneNumber: NUMBER }, ['message']],
  ['no number', { message: 'x' }, ['phoneNumber']],
  ['nulls', { phoneNumber: null, message: null }, ['message', 'phoneNumber']],
  ['a list for an object', [GOOD_SEND], ['']],
  ['text for an object', 'x', ['']],
  ['a number for an object', 1, ['']],
  ['null for an object', null, ['']],
  ['a number without +', { ...GOOD_SEND, phoneNumber: '15005550006' }, ['phoneNumber']],
  ['a number that is no text', { ...GOOD_SEND, phoneNumber: 15005550006 }, ['phoneNumber']],
  ['a number in a list', { ...GOOD_SEND, phoneNumber: [NUMBER] }, ['phoneNumber']],
  ['a bare +', { ...GOOD_SEND, phoneNumber: '+' }, ['phoneNumber']],
  ['an impossible number', { ...GOOD_SEND, phoneNumber: '+1500' }, ['phoneNumber']],
  ['a number with a NUL', { ...GOOD_SEND, phoneNumber: '+1500\u00005550006' }, ['phoneNumber']],
  ['a number of 40 digits', { ...GOOD_SEND, phoneNumber: `+${'1'.repeat(40)}` }, ['phoneNumber']],
  ['an empty message', { ...GOOD_SEND, message: '' }, ['message']],
  ['white space', { ...GOOD_SEND, message: ' \n\t\u00a0' }, ['message']],
  ['a message too long', { ...GOOD_SEND, message: TOO_LONG }, ['message']],
  ['a message that is an object', { ...GOOD_SEND, message: {} }, ['message']],
  ['a NUL in the message', { ...GOOD_SEND, message: 'a\0b' }, ['message']],
  ['half a surrogate pair', { ...GOOD_SEND, message: 'a\ud83d' }, ['message']],
  ['the other half', { ...GOOD_SEND, message: '\ude00a' }, ['message']],
  ['a device that is no text', { ...GOOD_SEND, deviceId: 7 }, ['deviceId']],
  ['a time to live too short', { ...GOOD_SEND, ttl: 59 }, ['ttl']],
  ['a time to live too long', { ...GOOD_SEND, ttl: 259_201 }, ['ttl']],
  ['half seconds', { ...GOOD_SEND, ttl: 60.5 }, ['ttl']],
  ['a time to live as text', { ...GOOD_SEND, ttl: '60' }, ['ttl']],
  ['a time without an offset', { ...GOOD_SEND, sendAt: '2126-01-31T12:00:00' }, ['sendAt']],
  ['a day that does not exist', { ...GOOD_SEND, sendAt: '2126-02-30T12:00:00Z' }, ['sendAt']],
  ['an hour that does not exist', { ...GOOD_SEND, sendAt: '2126-01-31T25:00:00Z' }, ['sendAt']],
  ['a time as a number', { ...GOOD_SEND, sendAt: 4_925_000_000 }, ['sendAt']],
  ['a time in the past', { ...GOOD_SEND, sendAt: '2026-01-31T12:00:00Z' }, ['sendAt']],
  ['a time too far ahead', { ...GOOD_SEND, sendAt: '2126-01-31T12:00:00Z' }, ['sendAt']],
  ['another priority', { ...GOOD_SEND, priority: 'urgent' }, ['priority']],
  ['a slot 0', { ...GOOD_SEND, simSlot: 0 }, ['simSlot']],
  ['a slot 1.5', { ...GOOD_SEND, simSlot: 1.5 }, ['simSlot']],
  ['a slot 1e9', { ...GOOD_SEND, simSlot: 1e9 }, ['simSlot']],
  ['a boolean as text', { ...GOOD_SEND, queueIfOffline: 'true' }, ['queueIfOffline']],
  ['another scheme', { ...GOOD_SEND, webhookUrl: 'javascript:alert(1)' }, ['webhookUrl']],
  ['an address too long', { ...GOOD_SEND, webhookUrl: `http://a/${'a'.repeat(2048)}` }, ['webhookUrl']],
  [
    'every fault at once',
    {
      phoneNumber: 'x',
      message: '',
      ttl: -1,
      priority: 1,
      simSlot: 'a',
      queueIfOffline: 1,
      webhookUrl: 'x',
      deviceId: [],
    },
    ['deviceId', 'message', 'phoneNumber', 'priority', 'queueIfOffline', 'simSlot', 'ttl', 'webhookUrl'],
  ],
]

const PATCHES: readonly Case[] = [
  ['a list', [], ['']],
  ['a blank name', { name: '  ' }, ['name']],
  ['no name', { name: null }, ['name']],
  ['a name too long', { name: 'x'.repeat(81) }, ['name']],
  ['a name on two lines', { name: 'a\nb' }, ['name']],
  ['a name with a NUL', { name: 'a\0b' }, ['name']],
  ['half a surrogate pair', { name: 'a\ud83d' }, ['name']],
  [
    'every field wrong',
    { name: 1, paused: 'no', segmentsPerMinute: 0 },
    ['name', 'paused', 'segmentsPerMinute'],
  ],
  ['a pace too high', { segmentsPerMinute: 1_000_001 }, ['segmentsPerMinute']],
]

const PAIRINGS: readonly Case[] = [
  ['a list', [], ['']],
  ['a name that is a number', { name: 5 }, ['name']],
  ['a name with an escape', { name: '\u001b[31m' }, ['name']],
]

const PAIRS: readonly Case[] = [
  ['nothing', {}, ['code']],
  ['a code of letters', { code: 'abcdefgh' }, ['code']],
  ['a code as a number', { code: 12345678 }, ['code']],
  ['full-width digits', { code: '１２３４５６７８' }, ['code']],
  [
    'every field wrong',
    { code: '1', name: '', platform: 'x'.repeat(65), appVersion: 1 },
    ['appVersion', 'code', 'name', 'platform'],
  ],
]

/** Bodies that no endpoint reads, tried on the `endpoints` below. */
const BROKEN: readonly (readonly [string, string | Uint8Array, number, string])[] = [
  ['no body', '', 400, 'INVALID_REQUEST'],
  ['blanks', ' \n ', 400, 'INVALID_REQUEST'],
  ['half an object', '{"phoneNumber":"+1', 400, 'INVALID_REQUEST'],
  ['a comma too much', '{"a":1,}', 400, 'INVALID_REQUEST'],
  ['single quotes', "{'a':1}", 400, 'INVALID_REQUEST'],
  ['NaN', '{"a":NaN}', 400, 'INVALID_REQUEST'],
  ['two values', '{}{}', 400, 'INVALID_REQUEST'],
  ['a raw control character', '{"message":"a\u0001b"}', 400, 'INVALID_REQUEST'],
  ['33 levels', `{"a":${'['.repeat(32)}${']'.repeat(32)}}`, 400, 'INVALID_REQUEST'],
  ['10,000 levels', '['.repeat(10_000) + ']'.repeat(10_000), 400, 'INVALID_REQUEST'],
  ['10,000 levels never closed', '{"a":'.repeat(10_000), 400, 'INVALID_REQUEST'],
  ['bytes that are no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xc0, 0x22, 0x7d]), 400, 'INVALID_REQUEST'],
  ['a surrogate as UTF-8', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), 400, 'INVALID_REQUEST'],
  ['UTF-16', Buffer.from('{"a":1}', 'utf16le'), 400, 'INVALID_REQUEST'],
  ['300 KB', JSON.stringify({ message: 'x'.repeat(300_000) }), 413, 'PAYLOAD_TOO_LARGE'],
]

describe('an invalid body', () => {
  let it: HostileGateway
  let deviceId: string

  beforeEach(async () => {
    it = await sharedHostile()
    const { accountId } = it.owner
    const { code } = await it.gateway.ask('device.create-pairing', { accountId, name: 'phone' })
    const paired = await it.gateway.ask('device.pair', { code, name: null, platform: null, appVersion: null })
    deviceId = paired.deviceId
  })

  const send = (): RequestParts => ({
    method: 'POST',
    path: '/api/v1/sms/send',
    headers: [['X-API-Key', it.owner.testKey]],
  })
  const patch = (): RequestParts => ({ ...byToken(), method: 'PATCH', path: `/api/v1/devices/${deviceId}` })
  const pairings = (): RequestParts => ({ ...byToken(), method: 'POST', path: '/api/v1/devices/pairings' })
  const pair = (): RequestParts => ({ method: 'POST', path: '/device/v1/pair' })
  const byToken = () => ({ headers: [['Authorization', `Bearer ${it.owner.token}`]] as const })

  const endpoints: readonly (readonly [string, () => RequestParts, readonly Case[]])[] = [
    ['POST /sms/send', send, SENDS],
    ['PATCH /devices/{deviceId}', patch, PATCHES],
    ['POST /devices/pairings', pairings, PAIRINGS],
    ['POST /device/v1/pair', pair, PAIRS],
  ]
  for (const [name, request, cases] of endpoints)
    test(`${name} names every fault at its path and writes nothing`, async () => {
      const rows = it.rows()
      for (const [what, body, paths] of cases) {
        const answer = await it.ask({ ...request(), body: JSON.stringify(body) })
        assert.equal(answer.code, 'INVALID_REQUEST', what)
        assert.deepEqual(answer.faults, paths, what)
      }
      assert.deepEqual(it.rows(), rows)
    })

  test('a pairing code can be requested without a body', async () => {
    assert.equal((await it.ask(pairings())).status, 200)
  })

  for (const [name, request] of endpoints)
    test(`${name} refuses a body that it cannot read, and writes nothing`, async () => {
      const rows = it.rows()
      for (const [what, body, status, code] of BROKEN) {
        // All fields of a pairing are optional, so its body may be missing.
        if (body === '' && name === 'POST /devices/pairings') continue
        const answer = await it.ask({ ...request(), body })
        assert.deepEqual([answer.status, answer.code], [status, code], what)
      }
      if (name !== 'POST /sms/send')
        for (const type of [
          'text/plain',
          'application/x-www-form-urlencoded',
          'application/jsonx',
          'json',
          '',
        ]) {
          const { headers = [] } = request()
          const answer = await it.ask({
            ...request(),
            headers: [...headers, ['Content-Type', type]],
            body: '{}',
          })
          assert.equal(answer.code, 'UNSUPPORTED_MEDIA_TYPE', type)
        }
      assert.deepEqual(it.rows(), rows)
    })

  test('JSON is accepted under any usual Content-Type and without one', async () => {
    const types = ['application/json', 'Application/JSON;charset=UTF-8', 'application/vnd.x+json', undefined]
    for (const type of types) {
      const { headers = [] } = send()
      const answer = await it.ask({
        ...send(),
        headers: type === undefined ? headers : [...headers, ['Content-Type', type]],
        body: JSON.stringify(GOOD_SEND),
      })
      assert.equal(answer.status, 200, type)
    }
  })

  test('unusual but valid bodies are accepted', async () => {
    const odd = [
      ['a byte order mark', `\ufeff${JSON.stringify(GOOD_SEND)}`],
      ['the last of two keys', `{"message":"","phoneNumber":"${NUMBER}","message":"last"}`],
      ['__proto__', `{"__proto__":{"ttl":1},"constructor":{},"phoneNumber":"${NUMBER}","message":"x"}`],
      ['unknown fields', JSON.stringify({ ...GOOD_SEND, messageId: 'mine', status: 'delivered' })],
      [
        'null for each optional field',
        JSON.stringify({ ...GOOD_SEND, ttl: null, simSlot: null, deviceId: null }),
      ],
      ['32 levels', `{"phoneNumber":"${NUMBER}","message":"x","a":${'['.repeat(31)}${']'.repeat(31)}}`],
      ['brackets in text', JSON.stringify({ ...GOOD_SEND, message: '[{"\\'.repeat(100) })],
      ['1,600 characters', JSON.stringify({ ...GOOD_SEND, message: TOO_LONG.slice(1) })],
      ['line separators', JSON.stringify({ ...GOOD_SEND, message: 'a\u2028b\u2029c' })],
    ] as const
    for (const [what, body] of odd) {
      const answer = await it.ask({ ...send(), body })
      assert.equal(answer.status, 200, `${what}: ${answer.body}`)
      const read = await it.ask({ ...send(), method: 'GET', path: `/api/v1/sms/${answer.data['messageId']}` })
      assert.equal(read.status, 200, what)
    }
  })

  test('a body over the limit is refused by its declared length, before any of it is sent', async () => {
    const { headers = [] } = send()
    const answer = await it.ask({ ...send(), headers: [...headers, ['Content-Length', '262145']] })
    assert.equal(answer.code, 'PAYLOAD_TOO_LARGE')
    assert.deepEqual(answer.headers['connection'], ['close'])
  })

  test('a chunked body over the limit is refused as well', async () => {
    const { headers = [] } = send()
    const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`
    const answer = await it.ask({
      ...send(),
      headers: [...headers, ['Transfer-Encoding', 'chunked']],
      body: chunk.repeat(5),
    })
    assert.equal(answer.code, 'PAYLOAD_TOO_LARGE')
  })

  test('a body of exactly the limit is read', async () => {
    const shell = JSON.stringify({ ...GOOD_SEND, padding: '' })
    const padding = 'x'.repeat(262_144 - shell.length)
    const answer = await it.ask({ ...send(), body: JSON.stringify({ ...GOOD_SEND, padding }) })
    assert.equal(answer.status, 200)
  })

  test('without a credential, a body that is too long gets 401, and the connection closes', async () => {
    const answer = await it.ask({ ...send(), headers: [], body: 'x'.repeat(300_000) })
    assert.equal(answer.code, 'UNAUTHORIZED')
    assert.deepEqual(answer.headers['connection'], ['close'])
  })
})
