/** Lists as CSV: whole, with the filters of the lists, and safe to open in a spreadsheet. */
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { before, test } from 'node:test'
import type { SharedGateway, TestAccount } from '#test/kit/gateway.ts'
import { PairedPhone } from '#test/kit/paired-phone.ts'
import { sharedGateway } from '#test/kit/shared-gateway.ts'

const TEXTS = 230
let gateway: SharedGateway
let owner: TestAccount
let other: TestAccount

before(async () => {
  gateway = await sharedGateway()
  owner = await gateway.newAccount()
  other = await gateway.newAccount()
  const phone = await PairedPhone.pair(gateway, owner.accountId)
  await phone.connect(gateway.url)
  await phone.reportReceived({ id: 'a', from: '=cmd', message: '@SUM(A1)' })
  await phone.reportReceived({ id: 'b', from: '+14155550144', message: 'Yes' })
  await phone.disconnect()
  await send('=HYPERLINK("http://example.org")')
  await send('Küche, 42 °C\nsecond line')
  for (let i = 0; i < TEXTS; i++) await send(`text ${i}`)
})

async function send(message: string): Promise<void> {
  const json = { phoneNumber: '+14155550123', message, queueIfOffline: true }
  const { status, text } = await gateway.call('POST', '/api/v1/sms/send', { key: owner.liveKey, json })
  assert.equal(status, 200, text)
}

async function csv(path: string, key = owner.liveKey) {
  const { status, text, headers } = await gateway.call('GET', `/api/v1/${path}`, { key })
  assert.equal(status, 200, text)
  return { text, lines: text.split('\r\n'), headers }
}

test('the table of messages holds all of them, however many pages a list has', async () => {
  const { lines, headers } = await csv('sms.csv')
  assert.match(headers.get('content-type') ?? '', /^text\/csv/)
  assert.match(headers.get('content-disposition') ?? '', /filename="texts\.csv"/)
  assert.match(lines[0] ?? '', /^messageId,createdAt,status,failure,kind,phoneNumber,message,/)
  assert.equal(lines.length, TEXTS + 2 + 1 + 1, 'a heading, all texts, and nothing behind the last line')
  assert.equal(new Set(lines).size, lines.length)
})

test('a size or place of a page does not matter to a whole table', async () => {
  assert.equal((await csv('sms.csv?limit=99999&cursor=x')).lines.length, TEXTS + 4)
  assert.equal((await csv('received.csv?limit=none')).lines.length, 4)
})

test('cells are quoted, and a formula is a text', async () => {
  const { text } = await csv('sms.csv?q=second+kuche')
  assert.match(text, /,\+14155550123,"Küche, 42 °C\nsecond line",/)
  const { text: formula } = await csv('sms.csv?q=hyperlink')
  assert.match(formula, /,"'=HYPERLINK\(""http:\/\/example\.org""\)",/)
})

test('the filters of the list are those of the table, and wrong ones are named', async () => {
  assert.equal((await csv('sms.csv?status=failed')).lines.length, 2)
  assert.equal((await csv('sms.csv?q=text&until=2020-01-01T00:00:00Z')).lines.length, 2)
  const { status, json } = await gateway.call('GET', '/api/v1/sms.csv?status=x', { key: owner.liveKey })
  assert.equal(status, 400)
  assert.equal(json?.error.details?.issues?.[0]?.path, 'status')
})

test('received texts are a table too, and senders are no formulas', async () => {
  const { lines } = await csv('received.csv')
  assert.equal(lines[0], 'id,receivedAt,from,message,deviceId,simSlot,sentAt')
  assert.match(lines[1] ?? '', /,\+14155550144,Yes,dev_/)
  assert.match(lines[2] ?? '', /,'=cmd,'@SUM\(A1\),dev_/)
})

test('another account and a sandbox key get their own tables', async () => {
  for (const key of [other.liveKey, owner.testKey])
    for (const path of ['sms.csv', 'received.csv']) assert.equal((await csv(path, key)).lines.length, 2)
})

test('the days are a table for the account', async () => {
  const { text } = await gateway.call('GET', '/api/v1/usage/days.csv?days=2', { token: owner.token })
  const [heading, , today] = text.split('\r\n')
  assert.match(heading ?? '', /^day,accepted,.*deliveryMsP50,deliveryMsP95$/)
  assert.match(today ?? '', /^\d{4}-\d\d-\d\d,232,/)
})

test('an id finds its message', async () => {
  const { lines } = await csv('sms.csv?q=hyperlink')
  const id = lines[1]?.split(',')[0] ?? ''
  const { json } = await gateway.call('GET', `/api/v1/sms?q=${id}`, { key: owner.liveKey })
  const found = (json?.data ?? []) as unknown as readonly { readonly messageId: string }[]
  assert.deepEqual(
    found.map(({ messageId }) => messageId),
    [id],
  )
  const { json: none } = await gateway.call('GET', `/api/v1/sms?q=${id}`, { key: other.liveKey })
  assert.deepEqual(none?.data, [])
})

test('a caller that leaves in the middle disturbs nobody', async () => {
  const { port, hostname } = new URL(gateway.url)
  const socket = connect(Number(port), hostname)
  socket.write(`GET /api/v1/sms.csv HTTP/1.1\r\nHost: x\r\nX-API-Key: ${owner.liveKey}\r\n\r\n`)
  await new Promise(resolve => socket.once('data', resolve))
  socket.destroy()
  assert.equal((await csv('sms.csv')).lines.length, TEXTS + 4)
})
