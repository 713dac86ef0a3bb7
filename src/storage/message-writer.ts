import type { DatabaseSync } from 'node:sqlite'
import { TTL_S_MAX } from '#contracts/bounds.ts'
import type { Message } from '#domain/message/message.ts'
import type { CallName, IdempotencyKey, KeptAnswer, MessageStore } from '#domain/message/message-store.ts'
import { DAY_MS } from '#domain/time.ts'
import { messageOfRow } from '#storage/message-row.ts'
import { openSerials, SERIALS_PER_MS } from '#storage/message-serial.ts'

/**
 * The columns with a value when a message is accepted. The others begin as NULL or with a fixed value in the
 * statement, because each parameter makes a send slower.
 */
const ACCEPTED_COLUMNS = [
  'serial',
  'id',
  'account_id',
  'test',
  'kind',
  'phone_number',
  'country',
  'text',
  'segments',
  'encoding',
  'priority',
  'sim_slot',
  'pinned',
  'created_at',
  'send_at',
  'expires_at',
  'notification_url',
  'webhook_id',
  'device_id',
  'guess',
]

/** A message lives at most so long after its `sendAt`. Reports come a day later at most. */
const MESSAGE_LIFE_MS_MAX = TTL_S_MAX * 1000 + DAY_MS

/** Messages and answers to idempotency keys in the database, for the writer. */
export function openMessageStore(database: DatabaseSync): MessageStore {
  const insert = database.prepare(`
    INSERT INTO message (${ACCEPTED_COLUMNS.join(', ')}, status, attempt, not_before, timeline)
    VALUES (${ACCEPTED_COLUMNS.map(() => '?').join(', ')}, 'queued', 0, 0,
      '[["queued",' || ?${ACCEPTED_COLUMNS.indexOf('created_at') + 1} || ']]')`)
  let serialOf = openSerials(database)
  const redate = openRedating(database)
  const save = database.prepare(`
    UPDATE message SET status = ?, device_id = ?, attempt = ?, not_before = ?, sent_at = ?, delivered_at = ?,
      failure = ?, timeline = ?, text = ? WHERE id = ?`)
  const find = database.prepare('SELECT * FROM message WHERE id = ?')
  const saveGroup = database.prepare('UPDATE message SET device_group_id = ? WHERE id = ?')
  const saveDespite = database.prepare('UPDATE message SET despite_opt_out = 1 WHERE id = ?')
  const assign = database.prepare('UPDATE message SET device_id = ? WHERE id = ?')
  // The last condition repeats that of the index `message_open`. Without it, SQLite would not use the index.
  const unassign = database.prepare(`
    UPDATE message SET device_id = NULL WHERE device_id = ? AND pinned = 0 AND status = 'queued'
      AND (status IN ('queued', 'sending') OR (test = 1 AND status = 'sent'))`)
  const kept = openKeptAnswers(database)
  return {
    insert(_tx, m: Message) {
      // `get` is faster than `run`, which builds a result object.
      insert.get(
        serialOf(m.createdAt),
        m.id,
        m.accountId,
        m.test ? 1 : 0,
        m.kind,
        m.phoneNumber,
        m.country,
        m.text,
        m.segments,
        m.encoding,
        m.priority,
        m.simSlot,
        m.pinned ? 1 : 0,
        m.createdAt,
        m.sendAt,
        m.expiresAt,
        m.notificationUrl,
        m.webhookId,
        m.deviceId,
        m.guess ? 1 : 0,
      )
      // Few messages need these, and each parameter of the statement above makes a send slower.
      if (m.deviceGroupId !== null) saveGroup.run(m.deviceGroupId, m.id)
      if (m.despiteOptOut) saveDespite.run(m.id)
    },
    save(_tx, m: Message) {
      save.get(...changeable(m), m.text, m.id)
    },
    find(_tx, id) {
      const row = find.get(id)
      return row === undefined ? undefined : messageOfRow(row)
    },
    unassign(_tx, deviceId) {
      unassign.run(deviceId)
    },
    assign(_tx, messageId, deviceId) {
      assign.run(deviceId, messageId)
    },
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
  const land = database.prepare('UPDATE message SET serial = -serial WHERE serial < 0')
  return (from, ms) => {
    for (const step of steps) step.run({ $from: from, $ms: ms })
    land.run()
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

/** The values that can change, in the order of the statement `save`. */
function changeable(m: Message) {
  return [
    m.status,
    m.deviceId,
    m.attempt,
    m.notBefore,
    m.sentAt,
    m.deliveredAt,
    m.failure === null ? null : JSON.stringify(m.failure),
    JSON.stringify(
      m.timeline.map(({ status, at, deviceId }) =>
        deviceId === undefined ? [status, at] : [status, at, deviceId],
      ),
    ),
  ] as const
}
