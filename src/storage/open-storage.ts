import { chmodSync, statSync, writeFileSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import type { CommitLoss } from '#contracts/thread-frames.ts'
import { backUpBeforeMigration } from '#storage/back-up-before-migration.ts'
import { forgetBackup, isBackup } from '#storage/backup.ts'
import { Batch, type BatchPorts } from '#storage/batch.ts'
import { ChangeLog, type LogAccess } from '#storage/change-log.ts'
import { endCredentials, quarantineBatch, recordLoss } from '#storage/commit-loss.ts'
import { CommitMark } from '#storage/commit-mark.ts'
import { countCommits, raiseCount } from '#storage/count-commits.ts'
import type { DataDirectory } from '#storage/data-directory.ts'
import { openReadOnly, openWritable } from '#storage/database.ts'
import { recordIdentity, wasCopied } from '#storage/database-identity.ts'
import { watchEndedCredentials } from '#storage/ended-credentials.ts'
import { readLoss } from '#storage/health-reader.ts'
import { truncateLog } from '#storage/log-eraser.ts'
import { BelongsToCluster, readMembership } from '#storage/membership.ts'
import { SERIALS_PER_MS } from '#storage/message-serial.ts'
import { type MigrationProgress, migrate } from '#storage/migrate.ts'
import { hasRoom, keepSpareRoom, releaseSpareRoom, shareSpareRoom } from '#storage/spare-room.ts'

/** A clock that is further behind than this is wrong, and not only another one. */
const CLOCKS_DIFFER_MS_MAX = 60_000

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

type OwnPorts = 'database' | 'committed' | 'passed' | 'lastRun' | 'hasRoom' | 'diskFull' | 'log'

export interface StoragePorts extends Omit<BatchPorts, OwnPorts> {
  /** With what the leader of a cluster appends to the log; null: the gateway is in no cluster. */
  readonly log?: LogAccess | null
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
  const log = openLog(database, ports.log ?? null)
  migrate(database, {
    progress: ports.migrating,
    starting: () => backUpBeforeMigration(database, directory),
  })
  // A new database needs no check.
  if (isNew) writeFileSync(directory.databaseChecked, '', { mode: 0o600 })
  const mark = new CommitMark(directory.commitMark)
  // What a member of a cluster lost, it has taken from the log.
  if (log !== null) raiseCount(database, mark.highest)
  const isBehind = countCommits(database) < mark.highest
  if (isBehind) endCredentials(database, directory, ports.now().wallMs)
  const writeEnded = watchEndedCredentials(database, directory.endedCredentials)
  const batch = new Batch({
    ...ports,
    now: log === null ? ports.now : neverBefore(database, ports.now),
    database,
    log,
    hasRoom: () => hasRoom(directory.path, directory.spareRoom),
    diskFull: isFull => (isFull ? shareSpareRoom : keepSpareRoom)(directory.spareRoom),
    lastRun: mark.lastRun,
    passed: lastRun => mark.touch(lastRun),
    committed(count, lastRun) {
      writeEnded()
      mark.write(count, lastRun)
      ports.committed?.()
    },
  })
  const lost = isBehind ? recordLoss(database, batch, mark) : null
  const copied = adoptCopy(database, directory, log === null ? batch : null)
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
      mark.note(batch.lastRun)
      mark.close()
    },
  }
}

/** The clocks of two machines differ: no message gets a time before those of the earlier leader. */
function neverBefore(database: DatabaseSync, now: BatchPorts['now']): BatchPorts['now'] {
  const serial = database.prepare('SELECT max(serial) AS last FROM message').get()?.['last']
  const newestMs = Math.floor(Number(serial ?? 0) / SERIALS_PER_MS)
  if (newestMs - now().wallMs > CLOCKS_DIFFER_MS_MAX) return now
  return () => {
    const { wallMs, monoMs } = now()
    return { wallMs: Math.max(wallMs, newestMs), monoMs }
  }
}

/** @throws BelongsToCluster when the data is a copy of a cluster that this process does not lead */
function openLog(database: DatabaseSync, access: LogAccess | null): ChangeLog | null {
  if (access !== null) return new ChangeLog(database, access)
  const membership = readMembership(database)
  if (membership !== null) throw new BelongsToCluster(membership.clusterId)
  return null
}

/**
 * Ends the open messages of a copy, and then records the copy as an original. If the process ends in between,
 * the next start finds the copy again. Returns the number of ended messages; null: it is not a copy.
 * `batch` null: a member of a cluster, whose copy is no copy in this sense.
 */
function adoptCopy(
  database: DatabaseSync,
  { database: file }: DataDirectory,
  batch: Batch | null,
): number | null {
  const isFromBackup = isBackup(database)
  const isCopy = batch !== null && (isFromBackup || wasCopied(database, file))
  const copied = isCopy ? quarantineBatch(batch).messages : null
  database.exec('BEGIN IMMEDIATE')
  if (isFromBackup) forgetBackup(database)
  recordIdentity(database, file)
  database.exec('COMMIT')
  return copied
}
