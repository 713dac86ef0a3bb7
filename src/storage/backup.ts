/**
 * A backup is one SQLite file: a snapshot of the database, plus a table with the files of `secrets/`. That
 * table also marks the file as a copy. The writer can continue meanwhile. The database overwrites wiped
 * content (`secure_delete`), so the backup has none.
 */
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import type { DataDirectory } from '#storage/data-directory.ts'
import { DraftFile } from '#storage/draft-file.ts'
import { replaceSecret } from '#storage/secret-file.ts'
import { backup, DatabaseSync } from '#storage/sqlite.ts'
import { asDamage, DatabaseDamaged } from '#storage/sqlite-fault.ts'

/** Pages of 4 KiB that are copied at a time. A commit of the gateway may wait for the sync of one step. */
const PAGES_PER_STEP = 256

/** The table with the files of `secrets/`. */
export const SECRETS = 'backup_secret'

/** The names of files in `secrets/` that a backup left out, because they are no files of their owner. */
export type LeftOut = readonly string[]

/**
 * Makes a backup beside a running gateway. The file gets its final name, and replaces an older file of that
 * name, once it is complete, checked and synced to the disk.
 *
 * It copies in steps. Each step is synced at once, and is followed by a pause of the same length. Otherwise
 * the commits of the gateway would wait for gigabytes that the system writes late.
 *
 * @param pause blocks for some milliseconds
 * @throws Error when reading, writing or the check fails; then no file is left behind
 */
export async function backUp(
  directory: DataDirectory,
  file: string,
  pause: (ms: number) => void,
): Promise<LeftOut> {
  const draft = new DraftFile(file)
  try {
    await copyInSteps(directory.database, draft, pause)
    return complete(directory, draft)
  } catch (error) {
    draft.discard()
    throw asDamage(error)
  }
}

/** Makes a backup while no gateway runs, and blocks until it is done. @throws as `backUp` */
export function backUpAtOnce(directory: DataDirectory, file: string): void {
  const draft = new DraftFile(file)
  try {
    const connection = new DatabaseSync(directory.database, { readOnly: true, timeout: 5000 })
    try {
      connection.prepare('VACUUM INTO ?').run(draft.path)
    } finally {
      connection.close()
    }
    complete(directory, draft)
  } catch (error) {
    draft.discard()
    throw asDamage(error)
  }
}

async function copyInSteps(database: string, draft: DraftFile, pause: (ms: number) => void): Promise<void> {
  const source = new DatabaseSync(database, { readOnly: true, timeout: 5000 })
  try {
    // A read transaction keeps the snapshot. Without it, SQLite would start again after each commit.
    source.exec('BEGIN')
    source.prepare('SELECT 1 FROM sqlite_schema').get()
    await backup(source, draft.path, { rate: PAGES_PER_STEP, progress: draft.syncInSteps(pause) })
  } finally {
    source.close()
  }
}

/** Adds the secrets, checks the file and gives it its name. */
function complete(directory: DataDirectory, draft: DraftFile): LeftOut {
  draft.sync()
  const { found, leftOut } = readSecrets(directory)
  const file = new DatabaseSync(draft.path)
  try {
    // A journal on disk is not needed: if anything fails, the whole file is deleted. Node 24 refuses OFF.
    file.exec(`
      PRAGMA journal_mode = MEMORY;
      PRAGMA synchronous = OFF;
      CREATE TABLE IF NOT EXISTS backup_secret (name TEXT PRIMARY KEY, bytes BLOB NOT NULL) STRICT;
    `)
    const add = file.prepare('INSERT OR REPLACE INTO backup_secret VALUES (?, ?)')
    for (const { name, bytes } of found) add.run(name, bytes)
    expectIntact(file, 'quick_check')
  } finally {
    file.close()
  }
  draft.publish()
  return leftOut
}

/**
 * The secret files, without unfinished ones. They include the certificate authority, so that phones that
 * trust it also trust a restored gateway. Root may make a backup of another user's gateway. So links are not
 * followed, and files of others are left out: that user could have planted them to read them later.
 */
function readSecrets({ secrets, database }: DataDirectory) {
  const names = existsSync(secrets) ? readdirSync(secrets).filter(isSecretName) : []
  const { uid } = statSync(database)
  const found = names.flatMap(name => {
    const bytes = readOwnFile(join(secrets, name), uid)
    return bytes === null ? [] : [{ name, bytes }]
  })
  return { found, leftOut: names.filter(name => !found.some(one => one.name === name)) }
}

/** Null: it is a link, or not a file of this user. */
function readOwnFile(path: string, uid: number): Uint8Array | null {
  let fd: number
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ELOOP') return null
    throw error
  }
  try {
    const stats = fstatSync(fd)
    return stats.isFile() && stats.uid === uid ? readFileSync(fd) : null
  } finally {
    closeSync(fd)
  }
}

/** Whether this is the name of a secret file, and not a path that leads out of `secrets/`. */
export function isSecretName(name: string): boolean {
  return /^[\w-]+(?:\.pem)?$/.test(name)
}

/** @throws DatabaseDamaged with the first fault that SQLite finds */
export function expectIntact(database: DatabaseSync, check: 'quick_check' | 'integrity_check'): void {
  const found = database.prepare(`PRAGMA ${check}(1)`).get()?.[check]
  if (found !== 'ok') throw new DatabaseDamaged(String(found))
}

/** Whether the database is a backup with which no gateway has started yet. */
export function isBackup(database: DatabaseSync): boolean {
  const table = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'backup_secret'").get()
  return table !== undefined
}

/** Whether a file is a backup; false for anything else. */
export function isBackupFile(file: string): boolean {
  try {
    const database = new DatabaseSync(file, { readOnly: true })
    try {
      return isBackup(database)
    } finally {
      database.close()
    }
  } catch {
    return false
  }
}

/**
 * Writes the secrets of a backup to their files, except files that exist. Call this before loading any
 * secret. The secrets stay in the database until `forgetBackup`.
 */
export function unpackSecrets(directory: DataDirectory): void {
  if (!existsSync(directory.database)) return
  const database = new DatabaseSync(directory.database, { readOnly: true, timeout: 5000 })
  try {
    if (!isBackup(database)) return
    for (const { name, bytes } of database.prepare('SELECT name, bytes FROM backup_secret').all()) {
      if (!(bytes instanceof Uint8Array) || !isSecretName(String(name))) continue
      const secret = join(directory.secrets, String(name))
      if (!existsSync(secret)) replaceSecret(secret, bytes)
    }
  } finally {
    database.close()
  }
}

/** Removes the secrets, so that the database no longer counts as a backup. End its open messages first. */
export function forgetBackup(database: DatabaseSync): void {
  database.exec('DROP TABLE IF EXISTS backup_secret')
}
