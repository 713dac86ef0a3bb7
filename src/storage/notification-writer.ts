import { ACCOUNT_BOUNDS } from '#contracts/account-bounds.ts'
import { WORKING } from '#domain/forward/failing.ts'
import type { NotificationStore } from '#domain/notification/notification-store.ts'
import type { AccountTotals } from '#storage/account-totals.ts'
import { insertInto, updateOf, valuesOf, without } from '#storage/columns.ts'
import {
  DELIVERY_COLUMNS,
  deliveryOf,
  failingOf,
  SETTING_COLUMNS,
  settingOf,
} from '#storage/notification-row.ts'
import { numberOrNull, optional, text } from '#storage/row.ts'
import type { DatabaseSync } from '#storage/sqlite.ts'

const WAITING_MAX = ACCOUNT_BOUNDS.waitingDeliveries.most
/** Deliveries that one write ends at most, so that other callers do not wait. */
const ENDED_MAX = 1000

/** Notifications in the database, for the writer. */
export function openNotificationStore(database: DatabaseSync, totals: AccountTotals): NotificationStore {
  return {
    ...openSettings(database),
    ...openTargets(database),
    ...openDeliveries(database, totals),
    ...openQueue(database),
    ...openBulk(database, totals),
  }
}

function openSettings(database: DatabaseSync): Pick<NotificationStore, 'setting' | 'saveSetting'> {
  const find = database.prepare('SELECT * FROM notification_setting WHERE account_id = ?')
  const save = database.prepare(insertInto('notification_setting', SETTING_COLUMNS, 'OR REPLACE'))
  return {
    setting: (_tx, accountId) => optional(find.get(accountId), settingOf),
    saveSetting(tx, setting) {
      // This may replace an old secret or URL, which must not stay in the write-ahead log.
      tx.hasWiped = true
      save.run(...valuesOf(setting, SETTING_COLUMNS))
    },
  }
}

type Targets = Pick<NotificationStore, 'failing' | 'saveFailing' | 'forgetFailing' | 'delayFailing'>

/** What is known of the targets of notifications. */
export function openTargets(database: DatabaseSync): Targets {
  const find = database.prepare('SELECT failing_since, failed_days FROM notification_target WHERE lane = ?')
  const save = database.prepare('INSERT OR REPLACE INTO notification_target VALUES (?, ?, ?)')
  const remove = database.prepare('DELETE FROM notification_target WHERE lane = ?')
  const delay = ['notification_target', 'notification_setting', 'forward'].map(table =>
    database.prepare(`UPDATE ${table} SET failing_since = min(failing_since + ?, ?)`),
  )
  return {
    failing(_tx, lane) {
      const row = find.get(lane)
      return row === undefined ? WORKING : failingOf(row)
    },
    saveFailing(_tx, lane, { failingSince, failedDays }) {
      save.run(lane, failingSince, JSON.stringify(failedDays))
    },
    forgetFailing: (_tx, lane) => void remove.run(lane),
    delayFailing(_tx, { ms, now }) {
      for (const one of delay) one.run(ms, now)
    },
  }
}

type Deliveries = Pick<NotificationStore, 'insert' | 'save' | 'find'>

function openDeliveries(database: DatabaseSync, totals: AccountTotals): Deliveries {
  const insert = database.prepare(insertInto('notification_delivery', DELIVERY_COLUMNS))
  const given = [
    'id',
    'accountId',
    'event',
    'subjectId',
    'ownUrl',
    'forwardId',
    'lane',
    'body',
    'createdAt',
  ] as const
  const changing = without(DELIVERY_COLUMNS, ...given)
  const save = database.prepare(updateOf('notification_delivery', changing))
  const find = database.prepare('SELECT * FROM notification_delivery WHERE id = ?')
  const endOldest = database.prepare(`
    UPDATE notification_delivery SET status = 'failed', response_status = NULL, error = 'OVERLOADED'
    WHERE seq IN (SELECT seq FROM notification_delivery WHERE account_id = ? AND status = 'pending'
      ORDER BY seq LIMIT ?)`)
  const makeRoom = (accountId: string) => {
    const surplus = totals('deliveries', accountId) - WAITING_MAX
    if (surplus > 0) endOldest.run(accountId, Math.min(surplus, ENDED_MAX))
  }
  return {
    insert(_tx, d) {
      insert.run(...valuesOf(d, DELIVERY_COLUMNS))
      makeRoom(d.accountId)
    },
    save(_tx, d) {
      save.run(...valuesOf(d, changing), d.id)
      if (d.status === 'pending') makeRoom(d.accountId)
    },
    find: (_tx, id) => optional(find.get(id), deliveryOf),
  }
}

type Queue = Pick<NotificationStore, 'lanesDue' | 'due' | 'nextDueAt' | 'makeDue'>

function openQueue(database: DatabaseSync): Queue {
  const lanesDue = database.prepare(`
    SELECT lane, min(next_at) AS at FROM notification_delivery WHERE status = 'pending'
    GROUP BY lane ORDER BY at, lane LIMIT ?`)
  // A delivery waits for earlier ones to its target about the same message that were not tried yet.
  const due = database.prepare(`
    SELECT * FROM notification_delivery AS it WHERE lane = ? AND status = 'pending' AND next_at <= ?
      AND NOT EXISTS (SELECT 1 FROM notification_delivery AS earlier WHERE earlier.subject_id = it.subject_id
        AND earlier.status = 'pending' AND earlier.seq < it.seq AND earlier.tries = 0
        AND earlier.lane = it.lane)
    ORDER BY next_at, seq LIMIT ?`)
  const nextDueAt = database.prepare(`
    SELECT min(next_at) AS at FROM notification_delivery
    WHERE lane = ? AND status = 'pending' AND next_at > ?`)
  const makeDue = database.prepare(
    "UPDATE notification_delivery SET next_at = 0 WHERE status = 'pending' AND next_at > ?",
  )
  return {
    lanesDue: (_tx, limit) =>
      lanesDue.all(limit).map(({ lane, at }) => ({ lane: text(lane), at: Number(at) })),
    due: (_tx, { lane, now, limit }) => due.all(lane, now, limit).map(deliveryOf),
    nextDueAt: (_tx, { lane, now }) => numberOrNull(nextDueAt.get(lane, now)?.['at']),
    makeDue: (_tx, latest) => Number(makeDue.run(latest).changes),
  }
}

type Bulk = Pick<NotificationStore, 'cancelLane' | 'cancelSubject' | 'isGone' | 'replaySince'>

function openBulk(database: DatabaseSync, totals: AccountTotals): Bulk {
  const cancelLane = database.prepare(`
    UPDATE notification_delivery SET status = 'cancelled' WHERE seq IN (
      SELECT seq FROM notification_delivery WHERE lane = ? AND status = 'pending'
      ORDER BY next_at, seq LIMIT ?)`)
  const cancelSubject = database.prepare(
    "UPDATE notification_delivery SET status = 'cancelled' WHERE subject_id = ? AND status = 'pending'",
  )
  // The condition `status <> 'pending'` repeats that of the index `notification_delivery_told`, so that
  // SQLite uses the index.
  const isGone = database.prepare(`
    SELECT 1 FROM notification_delivery WHERE subject_id = ? AND status <> 'pending'
      AND status = 'failed' AND response_status = 410`)
  const replay = database.prepare(`
    UPDATE notification_delivery SET status = 'pending', tries = 0, next_at = 0 WHERE seq IN (
      SELECT seq FROM notification_delivery WHERE account_id = ? AND created_at >= ?
        AND status IN ('failed', 'cancelled')
        AND iif(forward_id IS NULL, ?, forward_id IN (SELECT value FROM json_each(?)))
      ORDER BY created_at LIMIT ?)`)
  return {
    cancelLane: (_tx, lane, limit) => void cancelLane.run(lane, limit),
    cancelSubject: (_tx, subjectId) => void cancelSubject.run(subjectId),
    isGone: (_tx, subjectId) => isGone.get(subjectId) !== undefined,
    replaySince(_tx, { accountId, since, events, forwards, limit }) {
      const room = Math.max(0, WAITING_MAX - totals('deliveries', accountId))
      const most = Math.min(limit, room)
      const { changes } = replay.run(accountId, since, Number(events), JSON.stringify(forwards), most)
      return Number(changes)
    },
  }
}
