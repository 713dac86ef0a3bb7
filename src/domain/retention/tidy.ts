import {
  CODE_REMEMBERED_MS,
  IDEMPOTENCY_KEPT_MS,
  TIDY_EVERY_MS,
  TIDY_PAUSE_MS,
  TIDY_ROWS_MAX,
} from '#contracts/bounds.ts'
import { NOTIFICATIONS_KEPT_DAYS } from '#contracts/notification-bounds.ts'
import { SEEN_TRIGGERS_KEPT_MS } from '#contracts/webhook-bounds.ts'
import { DAY_MS } from '#domain/time.ts'
import type { World } from '#domain/world.ts'

/**
 * Removes expired data in portions of a bounded number of rows, so that callers are served in between. When
 * nothing is left, it runs again in an hour.
 */
export function tidy(world: World): void {
  const { deadlines, now } = world
  const done = tidyRows(world, TIDY_ROWS_MAX)
  deadlines.add(now.monoMs + (done < TIDY_ROWS_MAX ? TIDY_EVERY_MS : TIDY_PAUSE_MS), 'tidy', '')
}

function tidyRows(world: World, rowsMax: number): number {
  const { tidy, tx, settings } = world
  const { wallMs } = world.now
  let left = rowsMax
  const within = (ageMs: number) => ({ before: wallMs - ageMs, limit: left })
  left -= tidy.clearMessages(tx, within(settings.retentionMs))
  left -= tidy.clearReceived(tx, within(settings.retentionMs))
  left -= tidy.deleteMessages(tx, within(settings.recordsMs))
  left -= tidy.deleteReceived(tx, within(settings.recordsMs))
  left -= tidy.deletePhones(tx, within(settings.recordsMs))
  left -= tidy.deleteKeys(tx, within(settings.recordsMs))
  const deliveriesKeptMs = Math.min(settings.retentionMs, NOTIFICATIONS_KEPT_DAYS * DAY_MS)
  left -= tidy.deleteDeliveries(tx, within(deliveriesKeptMs))
  left -= tidy.forgetTargets(tx, within(deliveriesKeptMs))
  left -= tidy.deleteKeptAnswers(tx, within(IDEMPOTENCY_KEPT_MS))
  left -= tidy.deletePairings(tx, within(0))
  left -= tidy.deleteCodes(tx, within(CODE_REMEMBERED_MS))
  left -= tidy.deleteSeenTriggers(tx, within(SEEN_TRIGGERS_KEPT_MS))
  left -= tidy.deleteBodies(tx, within(SEEN_TRIGGERS_KEPT_MS))
  left -= tidy.deleteCodeFailures(tx, within(DAY_MS))
  return rowsMax - left
}
