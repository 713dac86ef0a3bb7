import { chmodSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import type { CommandOutput } from '#contracts/commands.ts'
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
  const batch = new Batch({ ...ports, database, committed: count => mark.write(count) })
  const quarantined = countOf(database) < mark.highest ? quarantine(database, batch, mark) : 0
  // A process that was killed left in the log what it had wiped.
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
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

function countOf(database: DatabaseSync): number {
  return Number(database.prepare('SELECT count FROM commit_count').get()?.['count'])
}

/**
 * A database that counts fewer commits than were made has lost some: what it calls open may have been sent.
 * Only when that is ended and committed does it count on, beyond all that was ever counted: a process that
 * ends in between finds it behind again.
 */
function quarantine(database: DatabaseSync, batch: Batch, mark: CommitMark): number {
  const [answer] = batch.run([{ id: 0, name: 'gateway.quarantine', input: {} }]).answers
  if (answer?.ok !== true)
    throw new Error('the open messages of a database that went backwards were not ended')
  const count = mark.highest + 1
  database.prepare('UPDATE commit_count SET count = ?').run(count)
  mark.write(count)
  return (answer.output as CommandOutput<'gateway.quarantine'>).messages
}
