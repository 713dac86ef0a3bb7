import {
  chmodSync,
  closeSync,
  fsyncSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { Problem } from '#domain/problem.ts'
import { expectIntact, isBackup } from '#storage/backup.ts'
import type { DataDirectory } from '#storage/data-directory.ts'
import { MIGRATIONS } from '#storage/migrate.ts'
import { DatabaseSync } from '#storage/sqlite.ts'
import { syncDirectory } from '#storage/sync-directory.ts'

const CHUNK_BYTES = 1_048_576
/**
 * Names that do not count: `lost+found` of a mount point, and what a failed restore may have left behind.
 */
const IGNORED = new Set(['lost+found', 'lock', 'roost.db.restored'])

/** @throws Problem CONFLICT when the directory is not empty. A missing directory is fine. */
export function expectEmpty({ path }: DataDirectory): void {
  let names: readonly string[]
  try {
    names = readdirSync(path)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return
    throw error
  }
  const found = names.find(name => !IGNORED.has(name))
  if (found !== undefined)
    throw new Problem(
      'CONFLICT',
      `${path} is not empty (${found} is in it): name an empty or new directory with --data DIR`,
    )
}

/**
 * Checks a backup and puts it in the place of the database, synced to the disk. The caller must hold the
 * lock. The database stays marked as a backup, so that the next start unpacks the secrets and ends the open
 * messages.
 *
 * @param source descriptor of the backup file
 * @throws Problem INVALID_REQUEST when the file is not a backup, is damaged, or is of a newer version
 */
export function restoreBackup(source: number, directory: DataDirectory): void {
  const draft = `${directory.database}.restored`
  try {
    copyBackup(source, draft)
    checkBackup(draft)
    renameSync(draft, directory.database)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
  syncDirectory(directory.path)
}

function copyBackup(source: number, file: string): void {
  const fd = openSync(file, 'w', 0o600)
  try {
    const chunk = Buffer.alloc(CHUNK_BYTES)
    for (let position = 0; ; ) {
      const length = readSync(source, chunk, 0, chunk.length, position)
      if (length === 0) break
      for (let written = 0; written < length; ) written += writeSync(fd, chunk, written, length - written)
      position += length
    }
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
  chmodSync(file, 0o600)
}

function checkBackup(file: string): void {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    if (!isReadable(database) || !isBackup(database))
      throw refused('is not a backup of Roost: name a file made by: roost backup')
    const version = Number(database.prepare('PRAGMA user_version').get()?.['user_version'])
    if (version > MIGRATIONS.length)
      throw refused(
        `was made by a newer version of Roost (schema ${version}, this one knows ${MIGRATIONS.length}): ` +
          'use the newer version',
      )
    refuseDamaged(database)
  } finally {
    database.close()
  }
}

function isReadable(database: DatabaseSync): boolean {
  try {
    database.prepare('SELECT 1 FROM sqlite_schema').get()
    return true
  } catch {
    return false
  }
}

function refuseDamaged(database: DatabaseSync): void {
  try {
    expectIntact(database, 'integrity_check')
  } catch {
    throw refused('is damaged: restore an older backup')
  }
}

function refused(what: string): Problem {
  return new Problem('INVALID_REQUEST', `the file ${what}`)
}
