import { TTL_S_MAX } from '#contracts/bounds.ts'
import type { OptOutReference } from '#contracts/opt-out.ts'
import type { OptOut, OptOutReader, OptOutStore } from '#domain/message/opt-out-store.ts'
import { DAY_MS } from '#domain/time.ts'
import type { AccountTotals } from '#storage/account-totals.ts'
import { PART_SERIALS, SERIALS_PER_MS } from '#storage/message-serial.ts'
import { optional, type Row, text } from '#storage/row.ts'
import type { DatabaseSync } from '#storage/sqlite.ts'

/** A text is accepted at most so long before it has left, or its time to live has ended. */
const AHEAD_MS = 90 * DAY_MS + TTL_S_MAX * 1000

/**
 * The messages to a number, of calls that heed its wishes. Each part of the index of numbers is looked at
 * (`migrations/019-message-rows.ts`): there are some hundreds.
 */
const TO_NUMBER = `
  WITH RECURSIVE part (number) AS (
    SELECT $part UNION ALL
    SELECT number + 1 FROM part WHERE number < (SELECT max(serial) FROM message) / ${PART_SERIALS})
  SELECT message.id FROM part CROSS JOIN message INDEXED BY message_number
  ON message.serial / ${PART_SERIALS} = part.number AND message.phone_number = $number
    AND message.phone_number <> ''
  WHERE account_id = $account AND kind = 'sms' AND despite_opt_out IS NULL`

/** Numbers that want no more texts; the queries that listeners and the writer share. */
export function openOptOutReader(database: DatabaseSync): OptOutReader {
  const find = database.prepare(
    'SELECT * FROM opt_out WHERE account_id = ? AND phone_number = ? AND test = ?',
  )
  const list = database.prepare(`
    SELECT * FROM opt_out WHERE account_id = $account AND test = $test AND seq < $before
    ORDER BY seq DESC LIMIT $limit`)
  const findOne = ({ accountId, test, phoneNumber }: OptOutReference) =>
    optional(find.get(accountId, phoneNumber, test ? 1 : 0), optOutOf)
  return {
    find: findOne,
    list({ accountId, test, phoneNumber, before, limit }) {
      if (phoneNumber !== null) {
        const found = findOne({ accountId, test, phoneNumber })
        return { optOuts: found === undefined ? [] : [found], next: null }
      }
      const $before = before ?? Number.MAX_SAFE_INTEGER
      const asked = { $account: accountId, $test: test ? 1 : 0, $before, $limit: limit + 1 }
      const rows = list.all(asked)
      const shown = rows.slice(0, limit)
      const next = rows.length > limit ? Number(shown.at(-1)?.['seq']) : null
      return { optOuts: shown.map(optOutOf), next }
    },
  }
}

/** Numbers that want no more texts, for the writer. */
export function openOptOutStore(database: DatabaseSync, totals: AccountTotals): OptOutStore {
  const has = database.prepare(
    'SELECT 1 FROM opt_out WHERE account_id = ? AND phone_number = ? AND test <= ?',
  )
  const add = database.prepare(
    'INSERT INTO opt_out (account_id, test, phone_number, since, by) VALUES (?, ?, ?, ?, ?)',
  )
  const remove = database.prepare(
    'DELETE FROM opt_out WHERE account_id = ? AND phone_number = ? AND test = ?',
  )
  const texted = database.prepare(`
    ${TO_NUMBER} AND test = 0 AND max(created_at, coalesce(send_at, 0)) >= $since LIMIT 1`)
  const unsent = database.prepare(`${TO_NUMBER} AND test >= $test AND status IN ('queued', 'sending')`)
  return {
    ...openOptOutReader(database),
    has: ({ accountId, phoneNumber, test }) => has.get(accountId, phoneNumber, test ? 1 : 0) !== undefined,
    count: accountId => totals('optOuts', accountId),
    add(_tx, { accountId, test, phoneNumber, since, by }) {
      add.run(accountId, test ? 1 : 0, phoneNumber, since, by)
    },
    remove(tx, { accountId, phoneNumber, test }) {
      tx.hasWiped = true
      remove.run(accountId, phoneNumber, test ? 1 : 0)
    },
    wasTexted({ accountId, phoneNumber }, since) {
      const asked = { $account: accountId, $number: phoneNumber, $part: partOf(since - AHEAD_MS) }
      return texted.get({ ...asked, $since: since }) !== undefined
    },
    unsent({ accountId, phoneNumber, test }, wallMs) {
      const asked = { $account: accountId, $number: phoneNumber, $part: partOf(wallMs - AHEAD_MS) }
      return unsent.all({ ...asked, $test: test ? 1 : 0 }).map(row => text(row['id']))
    },
  }
}

/** The part of the index with the messages of this time. */
function partOf(wallMs: number): number {
  return Math.floor((Math.max(0, wallMs) * SERIALS_PER_MS) / PART_SERIALS)
}

function optOutOf(row: Row): OptOut {
  return {
    accountId: text(row['account_id']),
    test: row['test'] === 1,
    phoneNumber: text(row['phone_number']),
    since: Number(row['since']),
    by: row['by'] === 'text' ? 'text' : 'owner',
  }
}
