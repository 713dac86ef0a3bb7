/**
 * A backup is one SQLite file: the database as it was at one moment, and one more table with the files of
 * `secrets/`. That table also marks it as a copy. `VACUUM INTO` reads a snapshot, so the writer goes on
 * beside it, and what was wiped is not in the copy.
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

/** Ends the name of a backup that is not whole yet, after the number of the process that makes it. */
export const PARTIAL = '.partial'

/**
 * Makes a backup, beside a running gateway or without one. The file appears under its name when it is
 * complete, checked and on the disk; one that has this name already is replaced then.
 *
 * @throws Error when it cannot be read, written, or does not pass the check; nothing is left behind then
 */
export function backUp(directory: DataDirectory, file: string): void {
  const whole = resolve(file)
  const partial = `${whole}.${process.pid}${PARTIAL}`
  try {
    // SQLite takes an empty file and keeps its mode.
    closeSync(openSync(partial, 'w', 0o600))
    takeSnapshot(directory.database, partial)
    addSecrets(directory, partial)
    syncFile(partial)
    renameSync(partial, whole)
  } catch (error) {
    rmSync(partial, { force: true })
    throw error
  }
  syncDirectory(dirname(whole))
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
    // Whatever fails, the file is thrown away: it needs no journal.
    backup.exec(`
      PRAGMA journal_mode = OFF;
      PRAGMA synchronous = OFF;
      CREATE TABLE IF NOT EXISTS backup_secret (name TEXT PRIMARY KEY, bytes BLOB NOT NULL) STRICT;
    `)
    const add = backup.prepare('INSERT OR REPLACE INTO backup_secret VALUES (?, ?)')
    for (const name of namesIn(secrets)) add.run(name, readFileSync(join(secrets, name)))
    expectSound(backup, 'quick_check')
  } finally {
    backup.close()
  }
}

/**
 * All but those of a write that was cut short. With the authority, so that phones that trust it also trust
 * the gateway that a backup becomes.
 */
function namesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).filter(isSecretName) : []
}

/** A file of `secrets/`, and nothing outside of it. */
function isSecretName(name: string): boolean {
  return /^[\w-]+(?:\.pem)?$/.test(name)
}

/** @throws Error with what SQLite found first */
export function expectSound(database: DatabaseSync, check: 'quick_check' | 'integrity_check'): void {
  const found = database.prepare(`PRAGMA ${check}(1)`).get()?.[check]
  if (found !== 'ok') throw new Error(`the database is damaged: ${found}`)
}

/** Whether the database is a backup that no gateway has started on yet. */
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
 * Writes the secrets of a backup to their files, where there are none yet. To be called before the first of
 * them is loaded. They stay in the database until its open messages are ended (`forgetBackup`).
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

/** From now on it is a database like any other. */
export function forgetBackup(database: DatabaseSync): void {
  database.exec('DROP TABLE IF EXISTS backup_secret')
}

/** Brings what was written to a file to the disk. */
export function syncFile(file: string): void {
  const fd = openSync(file, 'r+')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}
