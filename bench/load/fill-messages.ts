/** Messages of 90 days for a bench, written by SQL into the database of a gateway that does not run. */
import { randomBytes } from 'node:crypto'
import { openWritable } from '#storage/database.ts'

const DAYS = 90
const DAY_MS = 86_400_000
/** Rows that one statement writes. */
const ROWS = 200_000
/** The digits of a ULID (Crockford's base 32). */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

export interface FillOptions {
  /** Path of the database. */
  readonly file: string
  /** The e-mail address of the account that gets the messages. */
  readonly email: string
  readonly count: number
}

/**
 * The messages are spread evenly over the 90 days, 9,000 numbers and 5 phones. One in 50 failed, one in 10
 * came from one of 20 webhooks, and one in 1,000 contains the word "breach".
 */
const INSERT = `
WITH RECURSIVE made (n) AS (
  SELECT CAST(:from AS INTEGER) UNION ALL SELECT n + 1 FROM made WHERE n < :till - 1)
INSERT INTO message (serial, id, account_id, test, kind, phone_number, country, text, segments, encoding,
  priority, pinned, created_at, expires_at, webhook_id, status, device_id, attempt, not_before, sent_at,
  delivered_at, failure, timeline)
SELECT
  t * 1000 + n % 1000, ulid(t), (SELECT id FROM account WHERE email = :email), 0,
  iif(n % 10 = 0, 'webhook', 'sms'), '+1415555' || (1000 + n * 7919 % 9000), 'US',
  iif(n % 1000 = 0, 'breach', 'CRITICAL') ||
    ': disk /var on backup-host-' || n || ' is at 97 %, see the runbook',
  1, 'GSM-7', 'normal', 0, t, t + 86400000,
  iif(n % 10 = 0, 'whk_' || printf('%026d', n / 10 % 20), NULL),
  iif(n % 50 = 0, 'failed', 'delivered'), 'dev_' || printf('%026d', n % 5), 1, 0, t + 2000,
  iif(n % 50 = 0, NULL, t + 5000), iif(n % 50 = 0, '{"code":"NO_SERVICE","message":"no network"}', NULL),
  '[["queued",' || t || '],["sending",' || (t + 500) || '],["sent",' || (t + 2000) || ']]'
FROM (SELECT n, CAST(:start + n * :step AS INTEGER) AS t FROM made)`

export function fillMessages({ file, email, count }: FillOptions): void {
  const database = openWritable(file)
  database.function('ulid', { deterministic: false }, ulidOf)
  const end = Date.now() - DAY_MS / 24
  const start = end - DAYS * DAY_MS
  const insert = database.prepare(INSERT)
  for (let from = 0; from < count; from += ROWS) {
    const till = Math.min(from + ROWS, count)
    insert.run({ from, till, email, start, step: (end - start) / count })
  }
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  database.close()
}

function ulidOf(wallMs: unknown): string {
  let id = ''
  for (let rest = Number(wallMs), digit = 0; digit < 10; digit += 1, rest = Math.floor(rest / 32))
    id = DIGITS[rest % 32] + id
  for (const byte of randomBytes(16)) id += DIGITS[byte % 32]
  return `msg_${id}`
}
