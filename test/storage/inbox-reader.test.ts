import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSearch } from '#domain/message/search.ts'
import { openInboxReader, PAGE_LENGTH_MAX } from '#storage/inbox-reader.ts'
import { SEARCHED_BYTES_MAX } from '#storage/search-pattern.ts'
import { TestWorld } from '#test/kit/world.ts'

const TEXTS = 400

test('a search of long received texts reads a bounded number of bytes a page, and finds every text', () => {
  const { database } = new TestWorld()
  const long = 'ab'.repeat(4900)
  database.exec('PRAGMA foreign_keys = OFF')
  const insert = database.prepare(`
    INSERT INTO received (id, account_id, device_id, phone_message_id, sender, text, received_at)
    VALUES (?, 'acc_1', 'dev_1', ?, 'Bank', ?, 1)`)
  for (let i = 0; i < TEXTS; i++) {
    const id = String(i).padStart(26, '0')
    insert.run(`rcv_${id}`, id, i % 100 === 7 ? `${long}Code 1234` : long)
  }
  const { list } = openInboxReader(database)
  const shared = { accountId: 'acc_1', from: null, deviceId: null, since: null, until: null, limit: 50 }
  const found: string[] = []
  let pages = 0
  let before: string | null = null
  do {
    const page = list({ ...shared, search: readSearch('cODE', ''), before })
    found.push(...page.received.map(({ id }) => id))
    before = page.next
    pages += 1
  } while (before !== null)
  assert.deepEqual(
    found.map(id => Number(id.slice(4))),
    [307, 207, 107, 7],
  )
  assert.equal(pages, Math.ceil((TEXTS * long.length) / SEARCHED_BYTES_MAX))
  // Without a search, too, a page of long texts is short.
  const all: string[] = []
  let from: string | null = null
  do {
    const page = list({ ...shared, limit: 200, search: null, before: from })
    assert.ok(page.received.length * long.length <= PAGE_LENGTH_MAX)
    all.push(...page.received.map(({ id }) => id))
    from = page.next
  } while (from !== null)
  assert.equal(new Set(all).size, TEXTS)
})
