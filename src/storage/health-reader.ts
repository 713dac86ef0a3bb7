import { TEXTS_TO_CHECK_READ_MAX } from '#contracts/bounds.ts'
import type { CommitLoss } from '#contracts/thread-frames.ts'
import type { FinishedText } from '#domain/health/facts.ts'
import type { HealthStore } from '#domain/health/health-store.ts'
import { numberOrNull, text } from '#storage/row.ts'
import type { DatabaseSync } from '#storage/sqlite.ts'

/** The rule for failing messages reads this many of a phone's last texts. */
const OUTCOMES_PER_PHONE = 10
/** Texts of one account that are read to find the last ones of each phone. */
const OUTCOMES_READ_MAX = 200
/** A gateway that runs ends a text sooner than this after its time to live. */
const EXPIRED_LATE_MS_MIN = 10_000

/** Reads rows for the health rules, in the writer. It reads a bounded number of messages, by an index. */
export function openHealthStore(database: DatabaseSync): HealthStore {
  // Only outcomes that a phone reported count, not those of messages that the gateway ended.
  const outcomes = database.prepare(`
    SELECT device_id, status, created_at FROM (
      SELECT device_id, status, created_at, failure ->> '$.code' AS code FROM message
      WHERE account_id = ? AND test = 0 AND kind <> 'drill' ORDER BY serial DESC LIMIT ${OUTCOMES_READ_MAX})
    WHERE device_id IS NOT NULL AND status IN ('sent', 'delivered', 'failed') AND (code IS NULL OR
      code NOT IN ('CANCELLED', 'EXPIRED', 'DEVICE_REMOVED', 'OPTED_OUT', 'OUTCOME_UNKNOWN',
        'RETRY_BRAKE'))`)
  // The end of a message is the last time in its timeline. The condition with IN repeats that of the index
  // `message_odd_end`, so that SQLite uses the index.
  const textsToCheck = database.prepare(`
    SELECT count(*) AS count, min(at) AS first_at FROM (
      SELECT timeline ->> '$[#-1][1]' AS at FROM message INDEXED BY message_odd_end
      WHERE failure ->> '$.code' IN ('OUTCOME_UNKNOWN', 'RETRY_BRAKE') AND account_id = ?
        AND failure ->> '$.code' = ? AND test = 0 AND kind <> 'drill'
      ORDER BY serial DESC LIMIT ${TEXTS_TO_CHECK_READ_MAX})
    WHERE at > ?`)
  // The same for the index `message_planned_expired`. A text that ended long after its time to live did so
  // because the gateway was off then, or because its clock was wrong.
  const plannedExpired = database.prepare(`
    SELECT count(*) AS count, min(at) AS first_at FROM (
      SELECT timeline ->> '$[#-1][1]' AS at, expires_at FROM message INDEXED BY message_planned_expired
      WHERE send_at IS NOT NULL AND failure ->> '$.code' = 'EXPIRED' AND account_id = ? AND test = 0
      ORDER BY serial DESC LIMIT ${TEXTS_TO_CHECK_READ_MAX})
    WHERE at > ? AND at - expires_at >= ${EXPIRED_LATE_MS_MIN}`)
  const overCap = database.prepare(`
    SELECT webhook.id, webhook.name, min(webhook_seen.at) AS first_at
    FROM webhook JOIN webhook_seen ON webhook_seen.webhook_id = webhook.id
    WHERE webhook.account_id = ? AND webhook_seen.at > ?
      AND webhook_seen.at >= webhook.updated_at AND outcome = 'OVER_CAP'
    GROUP BY webhook.id ORDER BY webhook.id`)
  const accounts = database.prepare('SELECT id FROM account ORDER BY id')
  return {
    outcomes(_tx, accountId) {
      const byPhone = new Map<string, FinishedText[]>()
      for (const row of outcomes.all(accountId)) {
        const phone = text(row['device_id'])
        const known = byPhone.get(phone) ?? []
        if (known.length < OUTCOMES_PER_PHONE)
          known.push({ hasFailed: row['status'] === 'failed', at: Number(row['created_at']) })
        byPhone.set(phone, known)
      }
      return byPhone
    },
    textsToCheck(_tx, { accountId, code, since }) {
      const row =
        code === 'PLANNED_EXPIRED'
          ? plannedExpired.get(accountId, since)
          : textsToCheck.get(accountId, code, since)
      const firstAt = numberOrNull(row?.['first_at'] ?? null)
      return firstAt === null ? null : { count: Number(row?.['count']), firstAt }
    },
    overCap: (_tx, accountId, since) =>
      overCap.all(accountId, since).map(row => ({
        webhookId: text(row['id']),
        name: text(row['name']),
        firstAt: Number(row['first_at']),
      })),
    lastLoss: () => readLoss(database),
    accountIds: () => accounts.all().map(row => text(row['id'])),
  }
}

/** The newest recorded loss of commits; null: none. */
export function readLoss(database: DatabaseSync): CommitLoss | null {
  const row = database.prepare('SELECT at, commits, messages FROM commit_loss ORDER BY at DESC LIMIT 1').get()
  if (row === undefined) return null
  return { at: Number(row['at']), commits: Number(row['commits']), messages: Number(row['messages']) }
}
