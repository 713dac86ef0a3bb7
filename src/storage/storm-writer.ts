import type { Move } from '#domain/clock/believed-clock.ts'
import { type Gathered, STORM_DELAY_MS_MAX, type StormKind, TEXT_DELAYS_MS } from '#domain/webhook/storm.ts'
import type { WebhookStore } from '#domain/webhook/webhook-store.ts'
import { numberOrNull, optional, text } from '#storage/row.ts'
import type { DatabaseSync } from '#storage/sqlite.ts'

/** How far a time moves. `base`: when its wait began. */
function moved(column: string, base = column): string {
  return `${column} = ${column} + CASE WHEN ${base} >= $since THEN $ms ELSE 0 END`
}

const DELAYS = TEXT_DELAYS_MS.map((ms, step) => `WHEN ${step} THEN ${ms}`).join(' ')
const MOVES = [
  `UPDATE webhook SET ${moved('heard_at')}, ${moved('noticed_at')}`,
  `UPDATE webhook_trigger SET ${moved('at')} WHERE webhook_id IN (SELECT id FROM webhook)`,
  `UPDATE webhook_storm SET ${moved('last_alert_at')},
    ${moved('next_at', `next_at - CASE step ${DELAYS} ELSE ${STORM_DELAY_MS_MAX} END`)}`,
]

/** What webhooks have gathered, and how long they have been silent, for the writer. */
export function openStormStore(database: DatabaseSync) {
  const hear = database.prepare('UPDATE webhook SET heard_at = ?, silent_at = ? WHERE id = ?')
  const notice = database.prepare('UPDATE webhook SET noticed_at = ? WHERE id = ?')
  const find = database.prepare('SELECT * FROM webhook_storm WHERE webhook_id = ? AND kind = ?')
  const save = database.prepare('INSERT OR REPLACE INTO webhook_storm VALUES (?, ?, ?, ?, ?, ?)')
  const end = database.prepare('DELETE FROM webhook_storm WHERE webhook_id = ? AND kind = ?')
  const moves = MOVES.map(sql => database.prepare(sql))
  const moveSilence = database.prepare(
    'UPDATE webhook SET silent_at = silent_at + ? WHERE silent_at NOT NULL',
  )
  const rows: Pick<WebhookStore, 'storm' | 'saveStorm' | 'saveSilence' | 'noteNotice'> = {
    storm: (id, kind) =>
      optional(find.get(id, kind), row => ({
        ...(JSON.parse(text(row['gathered'])) as Gathered),
        lastAlertAt: Number(row['last_alert_at']),
        nextAt: numberOrNull(row['next_at']),
        step: Number(row['step']),
      })),
    saveStorm(tx, { id, kind, isTold = false }, { lastAlertAt, nextAt, step, ...gathered }) {
      save.run(id, kind, lastAlertAt, nextAt, step, JSON.stringify(gathered))
      if (isTold) tx.hasWiped = true
    },
    saveSilence: (_tx, { id, heardAt, silentAt }) => void hear.run(heardAt, silentAt, id),
    noteNotice: (_tx, id, at) => void notice.run(at, id),
  }
  return {
    rows,
    end: (id: string, kind: StormKind) => void end.run(id, kind),
    /** Moves the times of storms, silences and triggers. */
    move({ since, ms, silenceMs }: Move) {
      const values = { $since: Math.max(since, 0), $ms: ms }
      for (const one of moves) one.run(values)
      moveSilence.run(silenceMs)
    },
  }
}
