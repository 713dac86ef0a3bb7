import { chmodSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import type { CommitLoss } from '#contracts/thread-frames.ts'
import { backUpAtOnce, forgetBackup, isBackup, isBackupFile } from '#storage/backup.ts'
import { Batch, type BatchPorts } from '#storage/batch.ts'
import { countOnDisk, endCredentials, quarantineBatch, recordLoss } from '#storage/commit-loss.ts'
import { CommitMark } from '#storage/commit-mark.ts'
import { countCommits } from '#storage/count-commits.ts'
import type { DataDirectory } from '#storage/data-directory.ts'
import { openReadOnly, openWritable } from '#storage/database.ts'
import { recordIdentity, wasCopied } from '#storage/database-identity.ts'
import { watchEndedCredentials } from '#storage/ended-credentials.ts'
import { readLoss } from '#storage/health-reader.ts'
import { truncateLog } from '#storage/log-eraser.ts'
import { type MigrationProgress, migrate } from '#storage/migrate.ts'
import { hasRoom, keepSpareRoom, releaseSpareRoom } from '#storage/spare-room.ts'
import { makeDirectory } from '#storage/sync-directory.ts'

export interface Storage {
  readonly batch: Batch
  /** Lost commits that this start found; null: none. */
  readonly lost: CommitLoss | null
  /**
   * Number of open messages that this start ended because the database is a copy or backup; null: it is
   * neither.
   */
  readonly copied: number | null
  /** The newest recorded loss of commits; null: none. */
  readonly lastLoss: CommitLoss | null
  /** Checkpoints and closes the database. */
  close(): void
}

export interface StoragePorts extends Omit<BatchPorts, 'database' | 'committed' | 'hasRoom'> {
  /** Called after each commit that wrote something. */
  readonly committed?: () => void
  /** Called with the progress of a migration. */
  readonly migrating?: (progress: MigrationProgress) => void
}

/**
 * Opens the database for writing. Migrates it, checks for lost commits, and reads the state into memory. The
 * caller must hold the lock of the data directory.
 */
export function openStorage(directory: DataDirectory, ports: StoragePorts): Storage {
  releaseSpareRoom(directory.spareRoom)
  const isNew = (statSync(directory.database, { throwIfNoEntry: false })?.size ?? 0) === 0
  const database = openWritable(directory.database)
  chmodSync(directory.database, 0o600)
  migrate(database, {
    progress: ports.migrating,
    starting: () => backUpBeforeMigration(database, directory),
  })
  // A new database needs no check.
  if (isNew) writeFileSync(directory.databaseChecked, '', { mode: 0o600 })
  const mark = new CommitMark(directory.commitMark)
  leaveOutPause(database, ports.now().wallMs - mark.writtenAtMs)
  const isBehind = countCommits(database) < mark.highest
  if (isBehind) endCredentials(database, directory, ports.now().wallMs)
  const writeEnded = watchEndedCredentials(database, directory.endedCredentials)
  const batch = new Batch({
    ...ports,
    database,
    hasRoom: () => hasRoom(directory.path),
    committed(count) {
      writeEnded()
      mark.write(count)
      ports.committed?.()
    },
  })
  const lost = isBehind ? recordLoss(database, batch, mark) : null
  const copied = adoptCopy(database, directory, batch)
  // A killed process may have left wiped content in the write-ahead log. On a full disk this must wait.
  if (!truncateLog(database)) batch.eraser.noteLog()
  keepSpareRoom(directory.spareRoom)
  return {
    batch,
    lost,
    copied,
    lastLoss: readLoss(database),
    close() {
      // When the last connection of a process closes, SQLite moves the log into the database and removes it.
      // That would destroy the commits of another writer, so another connection is open until then.
      const last = batch.commits.hasOther ? openReadOnly(directory.database) : null
      if (last === null) truncateLog(database)
      else last.prepare('SELECT 1 FROM sqlite_schema').get()
      database.close()
      last?.close()
      mark.close()
    },
  }
}

/** Moves the time at which webhooks count as silent by the time that the gateway was off. */
function leaveOutPause(database: DatabaseSync, offMs: number): void {
  database
    .prepare('UPDATE webhook SET silent_at = silent_at + ? WHERE silent_at IS NOT NULL')
    .run(Math.round(offMs))
}

/**
 * Ends the open messages of a copy, and then records the copy as an original. If the process ends in between,
 * the next start finds the copy again. Returns the number of ended messages; null: it is not a copy.
 */
function adoptCopy(database: DatabaseSync, { database: file }: DataDirectory, batch: Batch): number | null {
  const isFromBackup = isBackup(database)
  const copied = isFromBackup || wasCopied(database, file) ? quarantineBatch(batch).messages : null
  database.exec('BEGIN IMMEDIATE')
  if (isFromBackup) forgetBackup(database)
  recordIdentity(database, file)
  database.exec('COMMIT')
  return copied
}

/**
 * Makes a backup before a migration, so that the owner can return to the older version. Only the newest such
 * backup is kept. When an interrupted migration continues, the backup of its first start is kept. It is
 * recognized by its commit count, which migrations do not change.
 *
 * @throws Error when the backup fails; then nothing is migrated
 */
function backUpBeforeMigration(database: DatabaseSync, directory: DataDirectory): void {
  const version = database.prepare('PRAGMA user_version').get()?.['user_version']
  const folder = join(directory.path, 'backups')
  const name = `before-schema-${Number(version) + 1}.backup`
  makeDirectory(folder)
  const earlier = readdirSync(folder).filter(file => file.startsWith('before-schema-'))
  if (earlier.some(file => file.endsWith('.backup') && hasSameCommits(join(folder, file), database))) return
  try {
    backUpAtOnce(directory, join(folder, name))
  } catch (cause) {
    throw new Error(
      `the backup before the update of the database failed, so nothing was changed: make room for a copy ` +
        `of ${directory.database} in ${folder}, then start again`,
      { cause },
    )
  }
  for (const other of earlier) if (other !== name) rmSync(join(folder, other))
}

function hasSameCommits(backup: string, database: DatabaseSync): boolean {
  return isBackupFile(backup) && countOnDisk(backup) === countCommits(database)
}
