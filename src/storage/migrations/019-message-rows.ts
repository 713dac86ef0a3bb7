/**
 * Moves the messages from the table that 018 renamed, some thousands in each transaction. Each transaction
 * deletes the rows that it moved. So a process that was killed continues where it was, and the file hardly
 * grows.
 *
 * `message_number` finds the messages to a phone number. Its first column divides time into parts of ten
 * hours. So all new messages go into the same small part of the index, which stays in the cache. A look-up
 * queries each part. The index leaves out messages that retention has emptied.
 */
import type { DatabaseSync } from 'node:sqlite'
import { openSerials } from '#storage/message-serial.ts'

const ROWS_PER_SLICE = 5_000

const INDEXES = `
CREATE INDEX message_account ON message (account_id, test);
-- The open messages, which are read at each start, and when the queue of a phone goes to other phones.
CREATE INDEX message_open ON message (device_id)
  WHERE status IN ('queued', 'sending') OR (test = 1 AND status = 'sent');
CREATE INDEX message_kept ON message (created_at) WHERE phone_number <> '';
CREATE INDEX message_number ON message (serial / 36000000000, phone_number) WHERE phone_number <> '';
`

/** Does one part of the work. @returns the share of the work that is done; 1: finished */
export function moveMessages(database: DatabaseSync): number {
  const ends = database
    .prepare(`
      SELECT (SELECT created_at FROM message_before ORDER BY id LIMIT 1) AS next,
        (SELECT created_at FROM message_before ORDER BY id DESC LIMIT 1) AS last,
        (SELECT created_at FROM message ORDER BY serial LIMIT 1) AS first`)
    .get()
  const isMoved = ends?.['next'] === null
  // First drop the old table's indexes, one in each part: they have the names of the new ones, and deleting
  // rows would have to maintain them.
  if (!isMoved && dropOldIndex(database)) return 0
  if (isMoved) database.exec('DROP TABLE message_before')
  makeIndexes(database)
  if (isMoved) return 1
  moveSlice(database)
  // The share of the time span that is moved. The last part returns 1, so this one returns at most 0.99.
  const [next, last, first] = [ends?.['next'], ends?.['last'], ends?.['first'] ?? ends?.['next']].map(Number)
  if (next === undefined || last === undefined || first === undefined || last <= first) return 0
  return Math.min(Math.max((next - first) / (last - first), 0), 0.99)
}

/** Drops one index of the old table. @returns false when none was left */
function dropOldIndex(database: DatabaseSync): boolean {
  const index = database
    .prepare(`
      SELECT name FROM sqlite_schema
      WHERE type = 'index' AND tbl_name = 'message_before' AND sql IS NOT NULL`)
    .get()
  if (index === undefined) return false
  database.exec(`DROP INDEX ${index['name']}`)
  return true
}

function makeIndexes(database: DatabaseSync): void {
  const index = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'message_account'").get()
  if (index === undefined) database.exec(INDEXES)
}

function moveSlice(database: DatabaseSync): void {
  const serialOf = openSerials(database)
  const rows = database
    .prepare(`SELECT id, created_at FROM message_before ORDER BY id LIMIT ${ROWS_PER_SLICE}`)
    .all()
  const copy = database.prepare(
    'INSERT INTO message SELECT ?, message_before.* FROM message_before WHERE id = ?',
  )
  for (const { id, created_at: createdAt } of rows) copy.run(serialOf(Number(createdAt)), id ?? null)
  database.prepare('DELETE FROM message_before WHERE id <= ?').run(rows.at(-1)?.['id'] ?? null)
}
