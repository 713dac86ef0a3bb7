import { chmodSync } from 'node:fs'
import type { CommitLoss } from '#contracts/thread-frames.ts'
import { Batch, type BatchPorts } from '#storage/batch.ts'
import { countCommits, endCredentials, readLoss, recordLoss } from '#storage/commit-loss.ts'
import { CommitMark } from '#storage/commit-mark.ts'
import type { DataDirectory } from '#storage/data-directory.ts'
import { openWritable } from '#storage/database.ts'
import { watchEndedCredentials } from '#storage/ended-credentials.ts'
import { migrate } from '#storage/migrate.ts'

export interface Storage {
  readonly batch: Batch
  /** What this start found lost; null: nothing. */
  readonly lost: CommitLoss | null
  /** What the last start that found anything lost found; null: none did. */
  readonly lastLoss: CommitLoss | null
  /** Checkpoints and closes. */
  close(): void
}

export interface StoragePorts extends Omit<BatchPorts, 'database' | 'committed'> {
  /** Called after each commit that wrote something. */
  readonly committed?: () => void
  /** Called before each step of a migration of the schema; steps count from 1. */
  readonly migrating?: (step: number, steps: number) => void
}

/** Opens the database for writing: schema, check against going backwards, memory. The lock must be held. */
export function openStorage(directory: DataDirectory, ports: StoragePorts): Storage {
  const database = openWritable(directory.database)
  chmodSync(directory.database, 0o600)
  migrate(database, { starting: ports.migrating })
  const mark = new CommitMark(directory.commitMark)
  const isBehind = countCommits(database) < mark.highest
  if (isBehind) endCredentials(database, directory, ports.now().wallMs)
  const writeEnded = watchEndedCredentials(database, directory.endedCredentials)
  const batch = new Batch({
    ...ports,
    database,
    committed(count) {
      writeEnded()
      mark.write(count)
      ports.committed?.()
    },
  })
  const lost = isBehind ? recordLoss(database, batch, mark) : null
  // A process that was killed left in the log what it had wiped.
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  return {
    batch,
    lost,
    lastLoss: readLoss(database),
    close() {
      database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
      database.close()
      mark.close()
    },
  }
}
