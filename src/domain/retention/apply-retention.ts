import { IDEMPOTENCY_KEPT_MS, RETENTION_ROWS_MAX, SEEN_TRIGGERS_KEPT_MS } from '#contracts/bounds.ts'
import { PHONE_HISTORY_DAYS } from '#contracts/device-history.ts'
import { keepClock } from '#domain/clock/keep-clock.ts'
import { DAY_MS } from '#domain/time.ts'
import { DOWN_KEPT_MS } from '#domain/webhook/storm.ts'
import type { World } from '#domain/world.ts'

/** A code that has ended is kept for a day, so that a late try gets the reason. Later tries get NOT_FOUND. */
const CODE_REMEMBERED_MS = 86_400_000
/** What was done by whom is kept so long that the same month of the year before can be looked up. */
export const AUDIT_KEPT_MS = 400 * DAY_MS
/** Days of usage can be read for a year. */
const USAGE_KEPT_MS = 400 * DAY_MS
/** Interval of retention, which removes rows that have been kept long enough. */
export const RETENTION_EVERY_MS = 3_600_000
/** Pause between two such transactions, in which waiting callers are served. */
const RETENTION_PAUSE_MS = 100
/** How long a finished delivery can be looked up and replayed, unless its message is kept for less. */
export const NOTIFICATIONS_KEPT_DAYS = 30

/**
 * Removes expired data, and what removed accounts have left behind. It does so in portions of a bounded
 * number of rows, so that callers are served in between. When nothing is left, it runs again in an hour.
 */
export function applyRetention(world: World): void {
  const { deadlines, now, health, accountEraser, tx } = world
  let rows = accountEraser.eraseRows(tx, RETENTION_ROWS_MAX)
  rows += removeExpired(world, { wallMs: keepClock(world), rowsMax: RETENTION_ROWS_MAX - rows })
  health.retentionRanAt = now
  const isMore = rows >= RETENTION_ROWS_MAX || accountEraser.isErasing(tx)
  deadlines.add(now.monoMs + (isMore ? RETENTION_PAUSE_MS : RETENTION_EVERY_MS), 'retention', '')
}

/** Returns how many rows it changed. */
function removeExpired(
  { retention, tx, settings }: World,
  { wallMs, rowsMax }: { readonly wallMs: number; readonly rowsMax: number },
): number {
  let left = rowsMax
  const within = (ageMs: number) => ({ before: wallMs - ageMs, limit: left })
  left -= retention.clearMessages(tx, within(settings.retentionMs))
  left -= retention.clearReceived(tx, within(settings.retentionMs))
  left -= retention.clearIncidents(tx, within(settings.retentionMs))
  left -= retention.deleteIncidents(tx, within(settings.recordsMs))
  left -= retention.deleteMessages(tx, within(settings.recordsMs))
  left -= retention.deleteReceived(tx, within(settings.recordsMs))
  left -= retention.deletePhones(tx, within(settings.recordsMs))
  left -= retention.deleteKeys(tx, within(settings.recordsMs))
  const deliveriesKeptMs = Math.min(settings.retentionMs, NOTIFICATIONS_KEPT_DAYS * DAY_MS)
  left -= retention.deleteDeliveries(tx, within(deliveriesKeptMs))
  left -= retention.forgetTargets(tx, within(deliveriesKeptMs))
  left -= retention.deleteKeptAnswers(tx, within(IDEMPOTENCY_KEPT_MS))
  left -= retention.deletePairings(tx, within(0))
  left -= retention.deleteCodes(tx, within(CODE_REMEMBERED_MS))
  left -= retention.deleteSeenTriggers(tx, within(SEEN_TRIGGERS_KEPT_MS))
  left -= retention.deleteStorms(tx, within(DOWN_KEPT_MS))
  left -= retention.deletePhoneHistory(tx, within(PHONE_HISTORY_DAYS * DAY_MS))
  left -= retention.deleteUsage(tx, within(USAGE_KEPT_MS))
  left -= retention.deleteCodeFailures(tx, within(DAY_MS))
  left -= retention.deleteAudit(tx, within(AUDIT_KEPT_MS))
  return rowsMax - left
}
