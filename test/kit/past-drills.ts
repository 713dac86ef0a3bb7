import type { DatabaseSync } from 'node:sqlite'
import { DAY_MS, dayOf } from '#domain/time.ts'
import { systemSource } from '#storage/source.ts'

const source = systemSource(new Uint8Array(32))

/** Daily drills of the two phones that were seen last. The second one once sent nothing. */
export function writeDrills(database: DatabaseSync, accountId: string, phones: readonly string[]): void {
  const insert = database.prepare(`
    INSERT INTO drill (id, account_id, device_id, to_device_id, message_id, by, day, role, at, has_left,
      waited_ms, open_ms, outcome, reason, took_ms, ended_at)
    VALUES (?, ?, ?, ?, ?, 'plan', ?, 'first', ?, 1, 0, 0, ?, ?, ?, ?)`)
  const prove = database.prepare('UPDATE device SET drill = ?, proof = ? WHERE id = ?')
  const last = Date.now() - DAY_MS / 24
  const outcomes = ['proven', 'proven', 'sent_not_received', 'late', 'skipped', 'proven', 'proven']
  for (const [place, id] of phones.slice(0, 2).entries()) {
    for (const [ago, outcome] of outcomes.entries()) {
      const at = last - ago * DAY_MS
      const took = outcome === 'proven' ? 6_400 + 300 * ago : null
      const reason = outcome === 'skipped' ? 'this phone is not connected' : null
      const ends = [id, phones[1 - place] ?? '', source.id('msg_', at)]
      const times = [dayOf(at), at, outcome, reason, took, at + (took ?? 900_000)]
      insert.run(source.id('dri_', at), accountId, ...ends, ...times)
    }
    const plan = { every: 'day', at: '10:00', to: null, simSlot: null, madeAt: 0, madeDay: 0 }
    const proof = { sends: last, receives: last, tookMs: 6_400, isNumberProven: true, broken: null }
    prove.run(JSON.stringify(plan), JSON.stringify(proof), id)
  }
}
