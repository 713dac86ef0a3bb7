import { chmodSync, closeSync, fsyncSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { Problem } from '#domain/problem.ts'
import { expectIntact, isBackup, SECRETS } from '#storage/backup.ts'
import { copyContents } from '#storage/copy-contents.ts'
import type { DataDirectory } from '#storage/data-directory.ts'
import { readMembership, writeMembership } from '#storage/membership.ts'
import { MIGRATIONS, migrate } from '#storage/migrate.ts'
import { textOrNull } from '#storage/row.ts'
import { DatabaseSync } from '#storage/sqlite.ts'
import { syncDirectory } from '#storage/sync-directory.ts'

/**
 * Names that do not count: `lost+found` of a mount point, the nightly copies, and what a failed restore may
 * have left behind.
 */
const IGNORED = new Set(['backups', 'lost+found', 'lock', 'roost.db.restored'])

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
    leaveCluster(draft)
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
    copyContents(source, fd)
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
    refuseForeign(database, version)
  } finally {
    database.close()
  }
}

/** A restored backup is older than the log of the cluster that it was a copy of. */
function leaveCluster(file: string): void {
  const database = new DatabaseSync(file)
  try {
    if (readMembership(database) !== null) writeMembership(database, null)
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

/**
 * Refuses triggers, views and other objects that the migrations did not make. They could change each message.
 */
function refuseForeign(database: DatabaseSync, version: number): void {
  const own = new DatabaseSync(':memory:', { enableForeignKeyConstraints: true })
  try {
    migrate(own, { migrations: MIGRATIONS.slice(0, version) })
    const expected = readSchema(own)
    const found = readSchema(database)
    const foreign = [...found].find(([name, sql]) => expected.get(name) !== sql)
    const missing = [...expected.keys()].find(name => !found.has(name))
    if (foreign !== undefined || missing !== undefined)
      throw refused(
        `was changed by another program (${foreign?.[0] ?? missing} in its schema): restore another backup`,
      )
  } finally {
    own.close()
  }
}

/**
 * The text of each object by its type and name, without SQLite's own tables and indexes and without the table
 * of secrets.
 */
function readSchema(database: DatabaseSync): ReadonlyMap<string, string | null> {
  const rows = database
    .prepare(`
      SELECT type, name, sql FROM sqlite_schema
      WHERE NOT (type IN ('table', 'index') AND name LIKE 'sqlite\\_%' ESCAPE '\\')`)
    .all()
  const schema = new Map(rows.map(row => [`${row['type']} ${row['name']}`, textOrNull(row['sql'] ?? null)]))
  schema.delete(`table ${SECRETS}`)
  return schema
}

function refused(what: string): Problem {
  return new Problem('INVALID_REQUEST', `the file ${what}`)
}
