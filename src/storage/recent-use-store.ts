import type { RecentUseStore } from '#domain/on-call/recent-use.ts'
import { HOUR_MS } from '#domain/time.ts'
import { text, textOrNull } from '#storage/row.ts'
import type { DatabaseSync } from '#storage/sqlite.ts'

/** None counts for longer: one that seems to is from before the clock was set back. */
const COUNTED_MS_MAX = 86_400_000

/** What counts towards a bound for a while, for the writer. */
export function openRecentUseStore(database: DatabaseSync): RecentUseStore {
  const list = database.prepare(`
    SELECT source_id, is_urgent FROM recent_use WHERE account_id = ? AND kind = ? AND subject_id = ?
      AND until > ? AND until <= ?`)
  const note = database.prepare(`
    INSERT INTO recent_use (account_id, kind, subject_id, source_id, is_urgent, until)
    VALUES (?, ?, ?, ?, ?, ?)`)
  const subjects = database.prepare(`
    SELECT subject_id, max(until) AS until FROM recent_use WHERE account_id = ? AND kind = ? AND until > ?
    GROUP BY subject_id`)
  const forget = database.prepare('DELETE FROM recent_use WHERE until <= ?')
  const move = database.prepare('UPDATE recent_use SET until = until + $ms WHERE until >= $from')
  return {
    list: ({ accountId, kind, subjectId }, wallMs) =>
      list.all(accountId, kind, subjectId, wallMs, wallMs + COUNTED_MS_MAX).map(row => ({
        sourceId: textOrNull(row['source_id']),
        isUrgent: row['is_urgent'] === 1,
      })),
    note(_tx, { accountId, kind, subjectId, sourceId, isUrgent, until }, wallMs) {
      forget.run(wallMs)
      note.run(accountId, kind, subjectId, sourceId, Number(isUrgent), until)
    },
    subjects: (accountId, kind, wallMs) =>
      new Map(
        subjects.all(accountId, kind, wallMs).map(row => [text(row['subject_id']), Number(row['until'])]),
      ),
    move: (_tx, { since, ms }) => void move.run({ $ms: ms, $from: since + HOUR_MS }),
  }
}
