import type { Gathered, StormKind } from '#domain/webhook/storm.ts'
import type { WebhookStore } from '#domain/webhook/webhook-store.ts'
import { numberOrNull, text } from '#storage/row.ts'
import type { DatabaseSync } from '#storage/sqlite.ts'

/** What webhooks have gathered, and how long they have been silent, for the writer. */
export function openStormStore(database: DatabaseSync) {
  const hear = database.prepare('UPDATE webhook SET heard_at = ?, silent_at = ? WHERE id = ?')
  const notice = database.prepare('UPDATE webhook SET noticed_at = ? WHERE id = ?')
  const find = database.prepare('SELECT * FROM webhook_storm WHERE webhook_id = ? AND kind = ?')
  const save = database.prepare('INSERT OR REPLACE INTO webhook_storm VALUES (?, ?, ?, ?, ?, ?)')
  const end = database.prepare('DELETE FROM webhook_storm WHERE webhook_id = ? AND kind = ?')
  const moves = [
    'UPDATE webhook SET heard_at = heard_at + ?1, silent_at = silent_at + ?1, noticed_at = noticed_at + ?1',
    'UPDATE webhook_storm SET last_alert_at = last_alert_at + ?1, next_at = next_at + ?1',
  ].map(sql => database.prepare(sql))
  const rows: Pick<WebhookStore, 'storm' | 'saveStorm' | 'saveSilence' | 'noteNotice'> = {
    storm(id, kind) {
      const row = find.get(id, kind)
      if (row === undefined) return undefined
      return {
        ...(JSON.parse(text(row['gathered'])) as Gathered),
        lastAlertAt: Number(row['last_alert_at']),
        nextAt: numberOrNull(row['next_at']),
        step: Number(row['step']),
      }
    },
    saveStorm(tx, { id, kind, isTold = false }, { lastAlertAt, nextAt, step, ...gathered }) {
      save.run(id, kind, lastAlertAt, nextAt, step, JSON.stringify(gathered))
      if (isTold) tx.hasWiped = true
    },
    saveSilence(_tx, { id, heardAt, silentAt }) {
      hear.run(heardAt, silentAt, id)
    },
    noteNotice(_tx, id, at) {
      notice.run(at, id)
    },
  }
  return {
    rows,
    end(id: string, kind: StormKind) {
      end.run(id, kind)
    },
    /** Moves all times by a jump of the wall clock. */
    move(byMs: number) {
      for (const one of moves) one.run(byMs)
    },
  }
}
