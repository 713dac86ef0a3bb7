import type { DatabaseSync } from 'node:sqlite'
import { TTL_S_MAX } from '#contracts/bounds.ts'
import type { Message } from '#domain/message/message.ts'
import type { CallName, IdempotencyKey, KeptAnswer, MessageStore } from '#domain/message/message-store.ts'
import { DAY_MS } from '#domain/time.ts'
import { columnValue, namesOf, updateOf, valuesOf } from '#storage/columns.ts'
import { messageColumns, messageOfRow } from '#storage/message-row.ts'
import { openSerials, SERIALS_PER_MS } from '#storage/message-serial.ts'
import { optional } from '#storage/row.ts'

/** A message lives at most so long after its `sendAt`. Reports come a day later at most. */
const MESSAGE_LIFE_MS_MAX = TTL_S_MAX * 1000 + DAY_MS

/** Messages and answers to idempotency keys in the database, for the writer. */
export function openMessageStore(database: DatabaseSync): MessageStore {
  // The columns of a new message. What begins with a fixed value has it in the statement, because each
  // parameter makes a send slower.
  const first = messageColumns(({ column }) => column === 'first' || column === 'both')
  const insert = database.prepare(`
    INSERT INTO message (serial, ${namesOf(first)}, status, attempt, not_before, timeline)
    VALUES (?${', ?'.repeat(first.length)}, 'queued', 0, 0,
      '[["queued",' || ?${first.findIndex(({ field }) => field === 'createdAt') + 2} || ']]')`)
  const rare = messageColumns(({ column }) => column === 'rarely').map(column => ({
    ...column,
    set: database.prepare(updateOf('message', [column])),
  }))
  let serialOf = openSerials(database)
  const redate = openRedating(database)
  const changing = messageColumns(({ column }) => column === 'changes' || column === 'both')
  const save = database.prepare(updateOf('message', changing))
  const find = database.prepare('SELECT * FROM message WHERE id = ?')
  const assign = database.prepare('UPDATE message SET device_id = ? WHERE id = ?')
  // The last condition repeats that of the index `message_open`. Without it, SQLite would not use the index.
  const unassign = database.prepare(`
    UPDATE message SET device_id = NULL WHERE device_id = ? AND pinned = 0 AND status = 'queued'
      AND (status IN ('queued', 'sending') OR (test = 1 AND status = 'sent'))`)
  const kept = openKeptAnswers(database)
  return {
    insert(_tx, m: Message) {
      // `get` is faster than `run`, which builds a result object.
      insert.get(serialOf(m.createdAt), ...valuesOf(m, first))
      for (const column of rare)
        if (m[column.field] !== null && m[column.field] !== false)
          column.set.get(columnValue(m, column), m.id)
    },
    save: (_tx, m: Message) => void save.get(...valuesOf(m, changing), m.id),
    find: (_tx, id) => optional(find.get(id), messageOfRow),
    unassign: (_tx, deviceId) => void unassign.run(deviceId),
    assign: (_tx, messageId, deviceId) => void assign.run(deviceId, messageId),
    redate(_tx, { from, ms }) {
      if (ms === 0 || !Number.isFinite(from)) return
      redate(from, ms)
      serialOf = openSerials(database)
    },
    ...openCallNames(database),
    ...kept,
  }
}

/**
 * Dates anew the messages that were accepted since a time, and what happened since then to those of the days
 * before it. The serials move in two steps, because the place of one row may be that of the next.
 */
function openRedating(database: DatabaseSync): (from: number, ms: number) => void {
  const moved = (column: string) => `CASE WHEN ${column} >= $from THEN ${column} + $ms ELSE ${column} END`
  const steps = [
    `UPDATE message SET sent_at = ${moved('sent_at')}, delivered_at = ${moved('delivered_at')},
      timeline = (SELECT json_group_array(CASE WHEN value ->> 1 >= $from
        THEN json_set(value, '$[1]', CAST(value ->> 1 + $ms AS INTEGER)) ELSE json(value) END)
        FROM json_each(timeline))
      WHERE serial >= ($from - ${MESSAGE_LIFE_MS_MAX}) * ${SERIALS_PER_MS}
        AND timeline ->> '$[#-1][1]' >= $from`,
    `UPDATE message SET serial = -serial - $ms * ${SERIALS_PER_MS}, created_at = created_at + $ms,
      expires_at = CASE WHEN send_at IS NULL THEN expires_at + $ms ELSE expires_at END
      WHERE serial >= $from * ${SERIALS_PER_MS}`,
  ].map(sql => database.prepare(sql))
  const land = database.prepare('UPDATE OR IGNORE message SET serial = -serial WHERE serial < 0')
  // A message that an earlier clock dated has that place.
  const left = database.prepare('SELECT -serial AS serial FROM message WHERE serial < 0 ORDER BY serial DESC')
  const place = database.prepare('UPDATE message SET serial = ? WHERE serial = ?')
  return (from, ms) => {
    for (const step of steps) step.run({ $from: from, $ms: ms })
    land.run()
    const serialOf = openSerials(database)
    for (const row of left.all()) {
      const serial = Number(row['serial'])
      place.run(serialOf(Math.floor(serial / SERIALS_PER_MS)), -serial)
    }
  }
}

function openCallNames(database: DatabaseSync): Pick<MessageStore, 'isCallNamed' | 'nameCall'> {
  const find = database.prepare(
    'SELECT 1 FROM message_call WHERE account_id = ? AND test = ? AND name = ? LIMIT 1',
  )
  const insert = database.prepare('INSERT INTO message_call VALUES (?, ?, ?, ?)')
  return {
    isCallNamed: (_tx, { accountId, test, name }: CallName) =>
      find.get(accountId, test ? 1 : 0, name) !== undefined,
    nameCall(_tx, { accountId, test, name }: CallName, messageIds) {
      for (const id of messageIds) insert.run(id, accountId, test ? 1 : 0, name)
    },
  }
}

function openKeptAnswers(database: DatabaseSync): Pick<MessageStore, 'keepAnswer' | 'keptAnswer'> {
  const keep = database.prepare('INSERT OR REPLACE INTO idempotency VALUES (?, ?, ?, ?, ?)')
  const find = database.prepare(
    'SELECT body_hash, answer FROM idempotency WHERE scope = ? AND key = ? AND at > ?',
  )
  return {
    keepAnswer(_tx, { scope, key }: IdempotencyKey, { bodyHash, answer, at }) {
      keep.run(scope, key, bodyHash, answer, at)
    },
    keptAnswer(_tx, { scope, key }: IdempotencyKey, since): KeptAnswer | undefined {
      const row = find.get(scope, key, since)
      return row === undefined
        ? undefined
        : { bodyHash: String(row['body_hash']), answer: String(row['answer']) }
    },
  }
}
