import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Message } from '#domain/message/message.ts'
import type { MessageFilter } from '#domain/message/message-reader.ts'
import { readSearch } from '#domain/message/search.ts'
import { openMessageReader } from '#storage/message-reader.ts'
import { openMessageStore } from '#storage/message-writer.ts'
import { SEARCHED_BYTES_MAX } from '#storage/search-pattern.ts'
import { systemSource } from '#storage/source.ts'
import { Transactor } from '#storage/transaction.ts'
import { storedMessage } from '#test/kit/messages.ts'
import { TestWorld } from '#test/kit/world.ts'

const DAY_MS = 86_400_000
const START = Date.UTC(2026, 0, 1)
const RARE = '+14155550199'
const COMMON = '+14155550123'
const EVERYTHING: MessageFilter = {
  accountId: 'acc_1',
  test: false,
  status: null,
  deviceId: null,
  phoneNumber: null,
  kind: null,
  webhookId: null,
  reason: null,
  failedSince: null,
  search: null,
  since: null,
  until: null,
  before: null,
  limit: 50,
}

/** Stores 120 messages for each of ninety days, a few of them special. @returns them newest first */
function fill() {
  const { database } = new TestWorld()
  const store = openMessageStore(database)
  const source = systemSource(new Uint8Array(32))
  const messages: Message[] = Array.from({ length: 90 * 120 }, (_, i) => {
    const createdAt = START + Math.floor((i * DAY_MS) / 120)
    const message = storedMessage({
      id: source.id('msg_', createdAt),
      createdAt,
      status: 'sent',
      deviceId: 'dev_1',
    })
    if (i % 2000 === 7) return { ...message, phoneNumber: RARE }
    if (i === 30) return { ...message, status: 'failed' }
    if (i === 9000)
      return {
        ...message,
        status: 'failed',
        failure: { code: 'NO_SERVICE', message: 'no network' },
        timeline: [{ status: 'failed', at: createdAt }],
      }
    if (i === 100) return { ...message, text: '100 % of the disk is full' }
    if (i % 3000 === 11) return { ...message, kind: 'webhook', webhookId: 'whk_1' }
    return i % 500 === 3
      ? { ...message, test: true }
      : i % 500 === 4
        ? { ...message, accountId: 'acc_2' }
        : message
  })
  new Transactor(database).transact(tx => {
    for (const message of messages) {
      store.insert(tx, message)
      store.save(tx, message)
    }
  })
  return { reader: openMessageReader(database), messages: messages.reverse() }
}

const { reader, messages } = fill()

/** Reads all pages of a list. @returns the ids, and the number of pages */
function walk(filter: Partial<MessageFilter>, { list } = reader) {
  const ids: string[] = []
  let pages = 0
  let before: number | null = null
  do {
    const page = list({ ...EVERYTHING, ...filter, before })
    ids.push(...page.messages.map(({ id }) => id))
    assert.equal(page.lookedBackTo === null, page.next === null)
    before = page.next
    pages += 1
  } while (before !== null)
  return { ids, pages }
}

const own = messages.filter(({ accountId, test }) => accountId === 'acc_1' && !test)
const cases: readonly (readonly [string, Partial<MessageFilter>, (message: Message) => boolean, number])[] = [
  ['a number', { phoneNumber: RARE }, ({ phoneNumber }) => phoneNumber === RARE, 1],
  ['a number that nobody has', { phoneNumber: '+14155550100' }, () => false, 1],
  ['a number and a status that none has', { phoneNumber: COMMON, status: 'queued' }, () => false, 20],
  ['a part of a number', { search: readSearch('550199', '') }, ({ phoneNumber }) => phoneNumber === RARE, 3],
  [
    'a part of a text, whatever LIKE makes of it',
    { search: readSearch('00 % OF', '') },
    ({ text }) => text.includes('%'),
    3,
  ],
  ['a reason', { reason: 'NO_SERVICE' }, ({ failure }) => failure?.code === 'NO_SERVICE', 1],
  [
    'the time of the failure',
    { failedSince: START + 75 * DAY_MS },
    ({ failure }) => failure?.code === 'NO_SERVICE',
    1,
  ],
  ['a webhook', { webhookId: 'whk_1' }, ({ webhookId }) => webhookId === 'whk_1', 3],
  ['a kind', { kind: 'webhook' }, ({ kind }) => kind === 'webhook', 3],
  ['a status that none has', { status: 'queued' }, () => false, 3],
  ['a phone that none has', { deviceId: 'dev_2' }, () => false, 3],
]

for (const [what, filter, isWanted, pages] of cases)
  test(`a list by ${what} has every message once, in few pages`, () => {
    const wanted = own.filter(isWanted).map(({ id }) => id)
    assert.deepEqual(walk(filter), { ids: wanted, pages })
  })

test('messages in a time span months ago are found in one page, both ends included', () => {
  const [since, until] = [START + 20 * DAY_MS, START + 20 * DAY_MS + 6 * 3_600_000]
  const wanted = own.filter(({ createdAt }) => createdAt >= since && createdAt <= until).map(({ id }) => id)
  assert.equal(wanted.length, 31)
  assert.deepEqual(walk({ since, until }), { ids: wanted, pages: 1 })
  const rare = own.filter(({ createdAt, phoneNumber }) => createdAt <= until && phoneNumber === RARE)
  assert.deepEqual(walk({ until, phoneNumber: RARE }), { ids: rare.map(({ id }) => id), pages: 1 })
})

test('failed messages are found in one page, however many others are newer', () => {
  const failed = own.filter(({ status }) => status === 'failed').map(({ id }) => id)
  assert.equal(failed.length, 2)
  assert.deepEqual(walk({ status: 'failed' }), { ids: failed, pages: 1 })
  assert.deepEqual(walk({ status: 'failed', limit: 1 }), { ids: failed, pages: 2 })
  assert.deepEqual(walk({ status: 'failed', until: START + DAY_MS }), { ids: failed.slice(1), pages: 1 })
  assert.deepEqual(walk({ status: 'failed', search: readSearch('nowhere', '') }), { ids: [], pages: 1 })
  assert.deepEqual(walk({ status: 'failed', accountId: 'acc_2' }), { ids: [], pages: 1 })
})

test('messages are counted among the newest 10,000 of the account', () => {
  const newest = own.slice(0, 10_000)
  const isCommon = ({ phoneNumber, status }: Message) => phoneNumber !== RARE && status === 'sent'
  assert.ok(own.length > newest.length)
  assert.equal(reader.count(EVERYTHING).all, newest.length)
  const filter = { ...EVERYTHING, phoneNumber: COMMON, status: 'sent' as const }
  assert.equal(reader.count(filter).all, newest.filter(isCommon).length)
  assert.equal(reader.count({ ...EVERYTHING, status: 'queued' }).all, 0)
})

test('messages to a number come page by page, each once, newest first', () => {
  const common = own.filter(({ phoneNumber }) => phoneNumber !== RARE).map(({ id }) => id)
  const { ids } = walk({ phoneNumber: COMMON, limit: 200 })
  assert.deepEqual(ids, common)
  assert.equal(walk({ phoneNumber: RARE, limit: 1 }).ids.length, 6)
})

test('messages to a number are found years later, at most sixteen months a page', () => {
  const { database } = new TestWorld()
  const store = openMessageStore(database)
  const stored = [START - 4 * 365 * DAY_MS, START].map(createdAt =>
    storedMessage({ id: systemSource(new Uint8Array(32)).id('msg_', createdAt), createdAt }),
  )
  new Transactor(database).transact(tx => {
    for (const message of stored) store.insert(tx, message)
  })
  const found = walk({ phoneNumber: COMMON }, openMessageReader(database))
  assert.deepEqual(found, { ids: stored.map(({ id }) => id).reverse(), pages: 3 })
})

test('another account and the other mode are not seen', () => {
  assert.deepEqual(walk({ accountId: 'acc_3' }), { ids: [], pages: 1 })
  const sandbox = messages.filter(message => message.test).map(({ id }) => id)
  assert.deepEqual(walk({ test: true }).ids, sandbox)
  const others = messages.filter(({ accountId }) => accountId === 'acc_2').map(({ id }) => id)
  assert.deepEqual(walk({ accountId: 'acc_2', phoneNumber: COMMON }).ids, others)
})

test('a search of long texts reads a bounded number of bytes a page, and finds every text', () => {
  const { database } = new TestWorld()
  const store = openMessageStore(database)
  const source = systemSource(new Uint8Array(32))
  const long = 'ab'.repeat(800)
  new Transactor(database).transact(tx => {
    for (let i = 0; i < 2000; i++) {
      const text = i % 400 === 0 ? `${long.slice(0, -3)}XYZ` : long
      store.insert(tx, { ...storedMessage({ id: source.id('msg_', START + i), createdAt: START + i }), text })
    }
  })
  const { list } = openMessageReader(database)
  const { ids, pages } = walk({ search: readSearch('xYz', '') }, { ...reader, list })
  assert.equal(ids.length, 5)
  assert.equal(pages, Math.ceil((2000 * long.length) / SEARCHED_BYTES_MAX))
  assert.equal(walk({ search: readSearch(`${'ab'.repeat(49)}c`, '') }, { ...reader, list }).ids.length, 0)
})
