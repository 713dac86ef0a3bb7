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
import { expectSound, isBackup } from '#storage/backup.ts'
import type { DataDirectory } from '#storage/data-directory.ts'
import { MIGRATIONS } from '#storage/migrate.ts'
import { DatabaseSync } from '#storage/sqlite.ts'
import { syncDirectory } from '#storage/sync-directory.ts'

const CHUNK_BYTES = 1_048_576
/** Allowed in an empty directory: `lost+found` of a mount point, the others of a failed attempt. */
const IGNORED = new Set(['lost+found', 'lock', 'roost.db.restored'])

/** @throws Problem CONFLICT when the directory is not empty; a missing one counts as empty */
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
 * Replaces the database by a backup, checked and on the disk. The lock must be held. The mark of the backup
 * stays: the next start unpacks its secrets and ends its open messages.
 *
 * @param source an open file
 * @throws Problem INVALID_REQUEST when it is no backup, damaged, or of a newer version
 */
export function restoreBackup(source: number, directory: DataDirectory): void {
  const draft = `${directory.database}.restored`
  try {
    copy(source, draft)
    check(draft)
    renameSync(draft, directory.database)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
  syncDirectory(directory.path)
}

function copy(source: number, file: string): void {
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

function check(file: string): void {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    if (!isReadable(database) || !isBackup(database))
      throw refused('is not a backup of Roost: name a file that roost backup made')
    const version = Number(database.prepare('PRAGMA user_version').get()?.['user_version'])
    if (version > MIGRATIONS.length)
      throw refused(
        `is of a newer version (schema ${version}, this one knows ${MIGRATIONS.length}): use that version`,
      )
    expectWhole(database)
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

function expectWhole(database: DatabaseSync): void {
  try {
    expectSound(database, 'integrity_check')
  } catch {
    throw refused('is damaged: restore an older one')
  }
}

function refused(what: string): Problem {
  return new Problem('INVALID_REQUEST', `the file ${what}`)
}
