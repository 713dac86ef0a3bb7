import { chmodSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import type { CommitLoss } from '#contracts/thread-frames.ts'
import { backUp, forgetBackup, isBackup, isBackupFile } from '#storage/backup.ts'
import { Batch, type BatchPorts } from '#storage/batch.ts'
import {
  countCommits,
  countOnDisk,
  endCredentials,
  quarantine,
  readLoss,
  recordLoss,
} from '#storage/commit-loss.ts'
import { CommitMark } from '#storage/commit-mark.ts'
import type { DataDirectory } from '#storage/data-directory.ts'
import { openWritable } from '#storage/database.ts'
import { watchEndedCredentials } from '#storage/ended-credentials.ts'
import { type MigrationProgress, migrate } from '#storage/migrate.ts'
import { recordPlace, wasCopied } from '#storage/place.ts'
import { keepSpareRoom, releaseSpareRoom } from '#storage/spare-room.ts'
import { makeDirectory } from '#storage/sync-directory.ts'

export interface Storage {
  readonly batch: Batch
  /** The loss that this start found; null: none. */
  readonly lost: CommitLoss | null
  /** Open messages that this start ended because the database is a copy or a backup; null: it is neither. */
  readonly copied: number | null
  /** The last loss that any start found; null: none. */
  readonly lastLoss: CommitLoss | null
  /** Checkpoints and closes. */
  close(): void
}

export interface StoragePorts extends Omit<BatchPorts, 'database' | 'committed'> {
  /** Called after each commit that wrote something. */
  readonly committed?: () => void
  /** Called with the progress of a migration. */
  readonly migrating?: (progress: MigrationProgress) => void
}

/**
 * Opens the database for writing: migrates, checks for lost commits, builds the memory. The lock must be
 * held.
 */
export function openStorage(directory: DataDirectory, ports: StoragePorts): Storage {
  releaseSpareRoom(directory.spareRoom)
  const database = openWritable(directory.database)
  chmodSync(directory.database, 0o600)
  migrate(database, {
    progress: ports.migrating,
    starting: () => backUpBeforeMigration(database, directory),
  })
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
  const copied = settle(database, directory, batch)
  // A killed process may have left wiped content in the log.
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  keepSpareRoom(directory.spareRoom)
  return {
    batch,
    lost,
    copied,
    lastLoss: readLoss(database),
    close() {
      database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
      database.close()
      mark.close()
    },
  }
}

/**
 * Ends the open messages of a copy, then marks it as an original: if the process ends before, it is still a
 * copy.
 */
function settle(database: DatabaseSync, { database: file }: DataDirectory, batch: Batch): number | null {
  const isOfBackup = isBackup(database)
  const copied = isOfBackup || wasCopied(database, file) ? quarantine(batch).messages : null
  database.exec('BEGIN IMMEDIATE')
  if (isOfBackup) forgetBackup(database)
  recordPlace(database, file)
  database.exec('COMMIT')
  return copied
}

/**
 * Makes a backup before migrating, so that the older version can be used again. Only the newest such backup
 * is kept. If an interrupted migration continues, its first backup stays: it has the same commit count,
 * because migrations are not counted.
 *
 * @throws Error when the backup fails: then nothing is migrated
 */
function backUpBeforeMigration(database: DatabaseSync, directory: DataDirectory): void {
  const version = database.prepare('PRAGMA user_version').get()?.['user_version']
  const folder = join(directory.path, 'backups')
  const name = `before-schema-${Number(version) + 1}.backup`
  makeDirectory(folder)
  const earlier = readdirSync(folder).filter(file => file.startsWith('before-schema-'))
  if (earlier.some(file => file.endsWith('.backup') && countsAsMany(join(folder, file), database))) return
  try {
    backUp(directory, join(folder, name))
  } catch (cause) {
    throw new Error(
      `the backup before the update of the database failed, so nothing was changed: make room for a copy ` +
        `of ${directory.database} in ${folder}, then start again`,
      { cause },
    )
  }
  for (const other of earlier) if (other !== name) rmSync(join(folder, other))
}

function countsAsMany(backup: string, database: DatabaseSync): boolean {
  return isBackupFile(backup) && countOnDisk(backup) === countCommits(database)
}
