import type { HealthCode } from '#contracts/health.ts'
import type { Alarm, AlarmStore } from '#domain/alarm/alarm-store.ts'
import { HOUR_MS } from '#domain/time.ts'
import { numberOrNull, type Row, text } from '#storage/row.ts'
import type { DatabaseSync } from '#storage/sqlite.ts'

/** Alarms in the database, for the writer. The tables stay small, because old rows are removed. */
export function openAlarmStore(database: DatabaseSync): AlarmStore {
  const list = database.prepare('SELECT * FROM alarm WHERE account_id = ?')
  // Alarms about which the owner must still get a text: either no text was sent yet, or the problem is over
  // and the only text was about its beginning. The column `told` holds `Alarm.reported`.
  const unreported = database.prepare(`
    SELECT * FROM alarm
    WHERE told = 'nothing' OR (told = 'raised' AND cleared_at IS NOT NULL) ORDER BY raised_at, code, subject`)
  const save = database.prepare('INSERT OR REPLACE INTO alarm VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
  const remove = database.prepare('DELETE FROM alarm WHERE account_id = ? AND code = ? AND subject = ?')
  const count = database.prepare('SELECT count(*) AS count FROM alarm_text WHERE at > ? AND at <= ?')
  const note = database.prepare('INSERT INTO alarm_text (at) VALUES (?)')
  const forget = database.prepare('DELETE FROM alarm_text WHERE at <= ? OR at > ?')
  return {
    list: (_tx, accountId) => list.all(accountId).map(alarmOf),
    unreported: () => unreported.all().map(alarmOf),
    save(_tx, one) {
      save.run(
        one.accountId,
        one.code,
        one.subject ?? '',
        one.severity,
        one.message,
        one.since,
        one.raisedAt,
        one.clearedAt,
        one.returns,
        one.reported,
        one.said,
      )
    },
    remove: (_tx, { accountId, code, subject }) => void remove.run(accountId, code, subject ?? ''),
    countTexts: (_tx, { since, until }) => Number(count.get(since, until)?.['count']),
    noteText(_tx, at) {
      forget.run(at - HOUR_MS, at)
      note.run(at)
    },
  }
}

function alarmOf(row: Row): Alarm {
  const subject = text(row['subject'])
  return {
    accountId: text(row['account_id']),
    code: text(row['code']) as HealthCode,
    subject: subject === '' ? null : subject,
    severity: row['severity'] === 'critical' ? 'critical' : 'warning',
    message: text(row['message']),
    said: text(row['said']) || text(row['message']),
    since: Number(row['since']),
    raisedAt: Number(row['raised_at']),
    clearedAt: numberOrNull(row['cleared_at'] ?? null),
    returns: Number(row['returns']),
    reported: text(row['told']) as Alarm['reported'],
  }
}
