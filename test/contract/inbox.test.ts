import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { ReceivedResource } from '#contracts/inbox.ts'
import type { SharedGateway, TestAccount } from '#test/kit/gateway.ts'
import { PairedPhone } from '#test/kit/paired-phone.ts'
import { sharedGateway } from '#test/kit/shared-gateway.ts'

const PATH = '/api/v1/received'

let gateway: SharedGateway
let owner: TestAccount
let other: TestAccount
let phone: PairedPhone
let tablet: PairedPhone

before(async () => {
  gateway = await sharedGateway()
  owner = await gateway.newAccount()
  other = await gateway.newAccount()
  phone = await PairedPhone.pair(gateway, owner.accountId)
  tablet = await PairedPhone.pair(gateway, owner.accountId)
  await phone.connect(gateway.url)
  await tablet.connect(gateway.url)
  await phone.reportReceived({ id: 'a', from: '+14155550144', message: 'Yes, come at nine.', simSlot: 2 })
  await phone.reportReceived({ id: 'b', from: 'MyBank', message: 'You used 100% of it_' })
  await tablet.reportReceived({ id: 'a', from: '06641234567', message: 'no' })
})
after(async () => {
  await phone.disconnect()
  await tablet.disconnect()
})

async function list(query = '', key = owner.liveKey): Promise<readonly ReceivedResource[]> {
  const { status, json, text } = await gateway.call('GET', `${PATH}${query}`, { key })
  assert.equal(status, 200, text)
  return json?.data as unknown as ReceivedResource[]
}

async function texts(query: string): Promise<readonly string[]> {
  return (await list(query)).map(({ message }) => message)
}

test('received texts are listed newest first, with their phone, SIM slot and time', async () => {
  const [third, second, first] = await list()
  assert.equal(third?.message, 'no')
  assert.equal(third?.deviceId, tablet.deviceId)
  assert.equal(second?.message, 'You used 100% of it_')
  assert.equal(second?.simSlot, null)
  const { id, receivedAt, ...rest } = first ?? {}
  assert.match(id ?? '', /^rcv_/)
  assert.ok(Date.parse(receivedAt ?? '') <= Date.now())
  const { deviceId } = phone
  assert.deepEqual(rest, {
    ...{ from: '+14155550144', message: 'Yes, come at nine.' },
    ...{ sentAt: null, deviceId, simSlot: 2 },
  })
})

test('a text keeps the time at which it was sent, and may have no sender', async () => {
  const sender = await gateway.newAccount()
  const own = await PairedPhone.pair(gateway, sender.accountId)
  await own.connect(gateway.url)
  const times = ['2026-01-31T13:00:00+01:00', 1_769_860_800_000, 'yesterday', 8e15, 0]
  for (const [index, at] of times.entries())
    await own.reportReceived({ id: String(index), from: null, message: `${index}`, at })
  await own.disconnect()
  const found = await list('?from=', sender.liveKey)
  const sentAt = '2026-01-31T12:00:00.000Z'
  assert.deepEqual(
    found.toReversed().map(one => [one.from, one.message, one.sentAt]),
    [[null, '0', sentAt], [null, '1', sentAt], ...['2', '3', '4'].map(text => [null, text, null])],
  )
  const table = await gateway.call('GET', `${PATH}.csv`, { key: sender.liveKey })
  assert.match(table.text, /^\ufeff?id,receivedAt,from,message,deviceId,simSlot,sentAt\r\n/)
  assert.match(table.text, new RegExp(`Z,,0,${own.deviceId},,${sentAt}\\r\\n`))
})

test('a received text is read by its id, with a key or a token', async () => {
  const [newest] = await list()
  const path = `${PATH}/${newest?.id}`
  assert.deepEqual((await gateway.call('GET', path, { key: owner.liveKey })).json?.data, newest)
  assert.deepEqual((await gateway.call('GET', path, { token: owner.token })).json?.data, newest)
})

test('another account and a sandbox key see no received texts', async () => {
  const [newest] = await list()
  for (const key of [other.liveKey, owner.testKey]) {
    assert.deepEqual(await list('', key), [])
    assert.equal((await gateway.call('GET', `${PATH}/${newest?.id}`, { key })).status, 404)
  }
  assert.equal((await gateway.call('GET', `${PATH}/rcv_none`, { key: owner.liveKey })).status, 404)
  assert.equal((await gateway.call('GET', PATH)).status, 401)
})

test('each filter returns only the texts that match', async () => {
  const [, , first] = await list()
  const at = encodeURIComponent(first?.receivedAt ?? '')
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ['?from=%2B14155550144', ['Yes, come at nine.']],
    ['?from=+14155550144', ['Yes, come at nine.']],
    ['?from=%2B1%20415%20555%200144', ['Yes, come at nine.']],
    ['?from=MyBank', ['You used 100% of it_']],
    ['?from=06641234567', ['no']],
    ['?from=nobody', []],
    [`?deviceId=${tablet.deviceId}`, ['no']],
    ['?q=COME', ['Yes, come at nine.']],
    ['?q=bank', ['You used 100% of it_']],
    ['?q=100%25', ['You used 100% of it_']],
    ['?q=%25', ['You used 100% of it_']],
    ['?q=_', ['You used 100% of it_']],
    [`?since=${at}&q=come`, ['Yes, come at nine.']],
    [`?until=${at}&q=come`, ['Yes, come at nine.']],
    ['?since=2999-01-01T00:00:00Z', []],
    ['?until=2020-01-01T00:00:00Z', []],
  ]
  for (const [query, wanted] of cases) assert.deepEqual(await texts(query), wanted, query)
})

test('the pages contain every text exactly once', async () => {
  const seen: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query = cursor === '' ? '?limit=2' : `?limit=2&cursor=${cursor}`
    const { json } = await gateway.call('GET', `${PATH}${query}`, { key: owner.liveKey })
    const page = (json?.data ?? []) as unknown as readonly ReceivedResource[]
    seen.push(...page.map(({ message }) => message))
    cursor = json?.page?.nextCursor ?? null
  }
  assert.deepEqual(seen, ['no', 'You used 100% of it_', 'Yes, come at nine.'])
})

test('all wrong parameters are named at once', async () => {
  const query = `?limit=0&cursor=x&deviceId=x&q=${'x'.repeat(101)}&since=x&until=x&from=a&from=b`
  const { status, json } = await gateway.call('GET', `${PATH}${query}`, { key: owner.liveKey })
  assert.equal(status, 400)
  const paths = [...new Set(json?.error.details?.issues?.map(({ path }) => path))].sort()
  assert.deepEqual(paths, ['cursor', 'deviceId', 'from', 'limit', 'q', 'since', 'until'])
})
