/** The console's list of sent and received texts. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { TextResource, TextsResource } from '#contracts/texts.ts'
import type { SharedGateway, TestAccount } from '#test/kit/gateway.ts'
import { openSession } from '#test/kit/open-session.ts'
import { PairedPhone } from '#test/kit/paired-phone.ts'
import { sharedGateway } from '#test/kit/shared-gateway.ts'

const ADA = '+393331234567'
const BOB = '+393337654321'
const SENT_AT = new Date(Date.now() - 3_600_000).toISOString()

let gateway: SharedGateway
let owner: TestAccount
let phone: PairedPhone
let headers: Record<string, string>

before(async () => {
  gateway = await sharedGateway()
  owner = await gateway.newAccount()
  headers = (await openSession(gateway, owner)).headers
  phone = await PairedPhone.pair(gateway, owner.accountId)
  await phone.connect(gateway.url)
  const person = { name: 'Ada Lovelace', phoneNumber: ADA }
  await gateway.call('POST', '/api/v1/people', { token: owner.token, json: person })
  await send(ADA, 'one')
  await phone.reportReceived({ id: 'a', from: ADA, message: 'two', at: SENT_AT })
  await send(BOB, 'three, on Tuesday')
  const cancelled = await send(BOB, 'four', { sendAt: new Date(Date.now() + 3_600_000).toISOString() })
  await gateway.call('DELETE', `/api/v1/sms/${cancelled}`, { key: owner.liveKey })
  await phone.reportReceived({ id: 'b', from: BOB, message: 'five' })
  await send(ADA, 'six', { sendAt: new Date(Date.now() + 3_600_000).toISOString() })
  await phone.whenSent(2)
})
after(() => phone.disconnect())

async function send(phoneNumber: string, message: string, more = {}): Promise<string> {
  const json = { phoneNumber, message, queueIfOffline: true, ...more }
  const answer = await gateway.call('POST', '/api/v1/sms/send', { key: owner.liveKey, json })
  assert.equal(answer.status, 200, answer.text)
  return String(answer.json?.data['messageId'])
}

interface Page {
  readonly data: TextsResource
  readonly page: { readonly nextCursor: string | null }
}

async function list(query: Record<string, string> = {}, own = headers): Promise<Page> {
  const given = new URLSearchParams({ timeZone: 'UTC', ...query })
  const { status, text } = await gateway.call('GET', `/api/v1/texts?${given}`, { headers: own })
  assert.equal(status, 200, text)
  return JSON.parse(text) as Page
}

const wordsOf = (texts: readonly TextResource[]) => texts.map(({ message }) => message)
const found = async (query: Record<string, string>) => wordsOf((await list(query)).data.texts)
const ALL = ['six', 'five', 'four', 'three, on Tuesday', 'two', 'one']

test('sent and received texts are one list, newest first, and its pages have each once', async () => {
  assert.deepEqual(await found({}), ALL)
  const seen: (string | null)[] = []
  let cursor: string | null = null
  do {
    const { data, page }: Page = await list({ limit: '2', ...(cursor !== null && { cursor }) })
    assert.equal(data.counts === null, cursor !== null, 'only the first page has counts')
    seen.push(...wordsOf(data.texts))
    cursor = page.nextCursor
  } while (cursor !== null)
  assert.deepEqual(seen, ALL)
})

test('each cut has its texts, and says how many it has with the same search', async () => {
  const exactly = (count: number) => ({ count, isMore: false })
  const { data } = await list()
  const counts = { all: exactly(6), waiting: exactly(1), failed: exactly(1), received: exactly(2) }
  assert.deepEqual(data.counts, counts)
  assert.deepEqual(await found({ cut: 'waiting' }), ['six'])
  assert.deepEqual(await found({ cut: 'failed' }), ['four'])
  assert.deepEqual(await found({ cut: 'received' }), ['five', 'two'])
  const ofAda = await list({ cut: 'failed', q: 'ada' })
  assert.deepEqual(wordsOf(ofAda.data.texts), [])
  assert.deepEqual(ofAda.data.counts, {
    ...{ all: exactly(3), waiting: exactly(1) },
    ...{ failed: exactly(0), received: exactly(1) },
  })
  assert.deepEqual(await found({ kind: 'sms', q: 'two' }), [], 'a received text has no kind')
  assert.deepEqual(await found({ deviceId: phone.deviceId }), ['five', 'three, on Tuesday', 'two', 'one'])
})

test('a search takes names, numbers, words and days, in the language of the reader', async () => {
  const [first] = (await list()).data.texts.slice(-1)
  const day = first !== undefined && 'createdAt' in first ? first.createdAt.slice(0, 10) : ''
  assert.deepEqual(await found({ q: 'Lovelace' }), ['six', 'two', 'one'])
  assert.deepEqual(await found({ q: '333 7654' }), ['five', 'four', 'three, on Tuesday'])
  assert.deepEqual(await found({ q: `ada ${day} one` }), ['one'])
  const { data } = await list({ q: `${day} five` })
  assert.deepEqual(data.day, {
    ...{ words: day, since: `${day}T00:00:00.000Z`, until: `${day}T23:59:59.999Z` },
  })
  assert.deepEqual(await found({ q: '2020-01-31' }), [])
  assert.deepEqual(await found({ q: 'on Tuesday', words: 'true' }), ['three, on Tuesday'])
  const german = await list({ q: 'letzte Nacht', language: 'de', timeZone: 'Asia/Tokyo' })
  assert.match(german.data.day?.since ?? '', /T11:00:00\.000Z$/, '20:00 in Tokyo')
  assert.equal((await list({ q: 'letzte Nacht', language: 'en' })).data.day, null)
})

test('the next page has the day of the first one, whatever its words name by then', async () => {
  const first = await list({ q: 'this week', limit: '2' })
  const cursor = first.page.nextCursor ?? ''
  const next = await list({ q: 'last week', cursor })
  assert.deepEqual([next.data.day?.since, wordsOf(next.data.texts)], [first.data.day?.since, ALL.slice(2)])
})

test('the list is a table, too, in which received texts have the status received', async () => {
  const { text, status } = await gateway.call('GET', '/api/v1/texts.csv?q=ada', { headers })
  assert.equal(status, 200)
  const [heading, ...lines] = text.trim().split('\r\n')
  assert.match(heading ?? '', /^\ufeff?messageId,createdAt,status,/)
  assert.equal(lines.length, 3)
  assert.match(lines[1] ?? '', /^rcv_\w+,[^,]+Z,received,/)
  assert.ok(lines[1]?.endsWith(`,${SENT_AT},`), 'when it was sent')
})

test('texts of other accounts and of drills are not in it, and only a session may ask', async () => {
  const other = await gateway.newAccount()
  const { data } = await list({}, (await openSession(gateway, other)).headers)
  assert.deepEqual(data.texts, [])
  for (const credential of [{ token: owner.token }, { key: owner.liveKey }, {}])
    assert.equal((await gateway.call('GET', '/api/v1/texts', credential)).status, 401)
})

test('what is asked wrongly is named', async () => {
  for (const [query, path] of [
    ['cut=sent', 'cut'],
    ['cursor=eA', 'cursor'],
    ['timeZone=Nowhere', 'timeZone'],
    ['language=fr', 'language'],
    ['limit=0', 'limit'],
  ]) {
    const { status, json } = await gateway.call('GET', `/api/v1/texts?${query}`, { headers })
    assert.equal(status, 400, query)
    assert.deepEqual(
      json?.error.details?.issues?.map(issue => issue.path),
      [path],
    )
  }
})
