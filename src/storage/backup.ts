/**
 * A backup is one SQLite file: a snapshot of the database, plus a table with the files of `secrets/`. That
 * table also marks the file as a copy. `VACUUM INTO` reads a snapshot, so the writer can continue meanwhile,
 * and the backup contains no wiped content.
 *
 * @see https://www.sqlite.org/lang_vacuum.html#vacuuminto
 */
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { DataDirectory } from '#storage/data-directory.ts'
import { replaceSecret } from '#storage/secret-file.ts'
import { DatabaseSync } from '#storage/sqlite.ts'
import { syncDirectory } from '#storage/sync-directory.ts'

/** The end of the file name of an unfinished backup, after the process id of its maker. */
export const PARTIAL = '.partial'

/**
 * Makes a backup, with or without a running gateway. The file gets its final name, and replaces an older file
 * of that name, once it is complete, checked and synced to the disk.
 *
 * @throws Error when reading, writing or the check fails; then no file is left behind
 */
export function backUp(directory: DataDirectory, file: string): void {
  const final = resolve(file)
  const partial = `${final}.${process.pid}${PARTIAL}`
  try {
    // Create the file with a private mode first: SQLite accepts an empty file and keeps its mode.
    closeSync(openSync(partial, 'w', 0o600))
    takeSnapshot(directory.database, partial)
    addSecrets(directory, partial)
    syncFile(partial)
    renameSync(partial, final)
  } catch (error) {
    rmSync(partial, { force: true })
    throw error
  }
  syncDirectory(dirname(final))
}

function takeSnapshot(database: string, file: string): void {
  const connection = new DatabaseSync(database, { readOnly: true, timeout: 5000 })
  try {
    connection.prepare('VACUUM INTO ?').run(file)
  } finally {
    connection.close()
  }
}

function addSecrets({ secrets }: DataDirectory, file: string): void {
  const backup = new DatabaseSync(file)
  try {
    // Without a journal: if anything fails, the whole file is deleted.
    backup.exec(`
      PRAGMA journal_mode = OFF;
      PRAGMA synchronous = OFF;
      CREATE TABLE IF NOT EXISTS backup_secret (name TEXT PRIMARY KEY, bytes BLOB NOT NULL) STRICT;
    `)
    const add = backup.prepare('INSERT OR REPLACE INTO backup_secret VALUES (?, ?)')
    for (const name of namesIn(secrets)) add.run(name, readFileSync(join(secrets, name)))
    expectIntact(backup, 'quick_check')
  } finally {
    backup.close()
  }
}

/**
 * Names of the secret files, without unfinished ones. They include the certificate authority, so that phones
 * that trust it also trust a restored gateway.
 */
function namesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).filter(isSecretName) : []
}

/** Whether this is the name of a secret file, and not a path that leads out of `secrets/`. */
function isSecretName(name: string): boolean {
  return /^[\w-]+(?:\.pem)?$/.test(name)
}

/** @throws Error with the first fault that SQLite finds */
export function expectIntact(database: DatabaseSync, check: 'quick_check' | 'integrity_check'): void {
  const found = database.prepare(`PRAGMA ${check}(1)`).get()?.[check]
  if (found !== 'ok') throw new Error(`the database is damaged (${found}): restore an earlier backup`)
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

/** Flushes a file to the disk (fsync). */
export function syncFile(file: string): void {
  const fd = openSync(file, 'r+')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}
