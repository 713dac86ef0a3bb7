import { chmodSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { failure } from '#domain/message/message.ts'
import { Batch, type BatchPorts } from '#storage/batch.ts'
import { CommitMark } from '#storage/commit-mark.ts'
import type { DataDirectory } from '#storage/data-directory.ts'
import { openWritable } from '#storage/database.ts'
import { migrate } from '#storage/migrate.ts'

export interface Storage {
  readonly batch: Batch
  /** Messages that were open in a database that went backwards; they ended as unknown. */
  readonly quarantined: number
  /** Checkpoints and closes. */
  close(): void
}

/** Opens the database for writing: schema, check against going backwards, memory. The lock must be held. */
export function openStorage(
  directory: DataDirectory,
  ports: Omit<BatchPorts, 'database' | 'committed'>,
): Storage {
  const database = openWritable(directory.database)
  chmodSync(directory.database, 0o600)
  migrate(database)
  const mark = new CommitMark(directory.commitMark)
  const quarantined = quarantine(database, mark, ports.now().wallMs)
  // A process that was killed left in the log what it had wiped.
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  const batch = new Batch({ ...ports, database, committed: count => mark.write(count) })
  return {
    batch,
    quarantined,
    close() {
      database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
      database.close()
      mark.close()
    },
  }
}

/**
 * A database that counts fewer commits than were made has lost some: what it calls open may have been sent.
 * None of it is sent again; each ends as OUTCOME_UNKNOWN, where a late report can still tell better.
 */
export function quarantine(database: DatabaseSync, mark: CommitMark, wallMs: number): number {
  const count = Number(database.prepare('SELECT count FROM commit_count').get()?.['count'])
  const known = mark.read()
  if (count >= known) return 0
  database.exec('BEGIN IMMEDIATE')
  const changed = database
    .prepare(`
      UPDATE message SET status = 'failed', failure = ?,
        timeline = json_insert(timeline, '$[#]', json_array('failed', ?))
      WHERE test = 0 AND status IN ('queued', 'sending')`)
    .run(JSON.stringify(failure('OUTCOME_UNKNOWN')), wallMs)
  // Used codes may be open again and tries uncounted: none of them is worth anything any more.
  database.exec(`
    UPDATE two_factor SET state = 'expired' WHERE state = 'open';
    UPDATE two_factor SET text = NULL WHERE text IS NOT NULL AND test = 0`)
  database.prepare('UPDATE commit_count SET count = ?').run(known + 1)
  database.exec('COMMIT')
  mark.write(known + 1)
  return Number(changed.changes)
}
