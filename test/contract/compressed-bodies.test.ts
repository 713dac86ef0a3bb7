import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import type { SharedGateway, TestAccount } from '#test/kit/gateway.ts'
import { PairedPhone } from '#test/kit/paired-phone.ts'
import { sharedGateway } from '#test/kit/shared-gateway.ts'
import { triggeredOf, WebhookCalls } from '#test/kit/webhook-calls.ts'

let gateway: SharedGateway
let owner: TestAccount
let url: string

beforeEach(async () => {
  gateway = await sharedGateway()
  owner = await gateway.newAccount()
  await PairedPhone.pair(gateway, owner.accountId)
  url = (await new WebhookCalls(gateway, owner.token).create()).url
})

const CODINGS: readonly (readonly [coding: string, pack: (bytes: Buffer) => Buffer])[] = [
  ['gzip', gzipSync],
  ['x-gzip', gzipSync],
  ['GZIP', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
  ['zstd', zstdCompressSync],
  ['identity', bytes => bytes],
]

function post(path: string, coding: string, body: Buffer) {
  const headers = { 'Content-Encoding': coding, 'Content-Type': 'application/json' }
  return gateway.call('POST', path, { key: owner.testKey, headers, body: new Uint8Array(body) })
}

const send = (coding: string, body: Buffer) => post('/api/v1/sms/send', coding, body)

async function alertText(coding: string, body: Buffer): Promise<string> {
  return triggeredOf(await post(url, coding, body)).message
}

for (const [coding, pack] of CODINGS)
  test(`a send and an alert are read when their bodies are packed with ${coding}`, async () => {
    const sent = await send(coding, pack(Buffer.from('{"phoneNumber":"+15005550006","message":"packed"}')))
    assert.equal(sent.status, 200, sent.text)
    assert.equal(await alertText(coding, pack(Buffer.from('{"message":"packed alert"}'))), 'packed alert')
  })

test('a body that is not packed as its header says is read as it is', async () => {
  for (const coding of ['gzip', 'utf-8', 'constructor', 'br'])
    assert.equal(await alertText(coding, Buffer.from('{"message":"plain alert"}')), 'plain alert')
})

test('a small body that unpacks to a huge one is refused', async () => {
  const bomb = gzipSync(Buffer.alloc(20_000_000, ' '))
  for (const answer of [await send('gzip', bomb), await post(url, 'gzip', bomb)]) {
    assert.equal(answer.status, 413, answer.text)
    assert.match(answer.json?.error.message ?? '', /^the unpacked body is longer than \d+ bytes$/)
  }
})

test('a webhook takes a bounded number of packed bodies a minute, and all plain ones', async () => {
  const { url: own } = await new WebhookCalls(gateway, owner.token).create({ maxPerHour: 1000 })
  const packed = gzipSync(Buffer.from('{"message":"again"}'))
  const answers = await Promise.all(Array.from({ length: 120 }, () => post(own, 'gzip', packed)))
  const refused = answers.filter(({ status }) => status === 429)
  assert.ok(refused.length > 0 && refused.length <= 60, `${refused.length}`)
  assert.equal(await alertText('identity', Buffer.from('{"message":"plain"}')), 'plain')
  const plain = await gateway.call('POST', own, { json: { message: 'not packed' } })
  assert.equal(triggeredOf(plain).message, 'not packed')
})
