/**
 * Opens SQLite with safe settings. WAL with `synchronous=FULL` syncs each commit to the disk before the
 * caller gets an answer; with NORMAL, a power cut would lose the last commits. Only the writer checkpoints.
 * `secure_delete` overwrites deleted content, so that no free page keeps a code or an old text. The settings
 * are read back, because SQLite silently ignores those that it cannot apply, for example on some network file
 * systems.
 *
 * @see https://www.sqlite.org/pragma.html#pragma_synchronous
 */
import { DatabaseSync } from '#storage/sqlite.ts'

/** The number that `PRAGMA synchronous` reports for FULL. */
const FULL = 2

/** Opens the only read-write connection of the process. */
export function openWritable(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { enableForeignKeyConstraints: true, timeout: 5000 })
  database.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    PRAGMA trusted_schema = OFF;
    PRAGMA cache_size = -16384;
    PRAGMA secure_delete = ON;
    PRAGMA wal_autocheckpoint = 4000;
  `)
  expectPragma(database, 'journal_mode', 'wal')
  expectPragma(database, 'synchronous', FULL)
  expectPragma(database, 'foreign_keys', 1)
  expectPragma(database, 'trusted_schema', 0)
  expectPragma(database, 'secure_delete', 1)
  return database
}

/** Opens a read-only connection. Any thread may have several. Reads must use an index and be bounded. */
export function openReadOnly(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5000 })
  database.exec('PRAGMA trusted_schema = OFF; PRAGMA query_only = ON; PRAGMA cache_size = -8192')
  return database
}

/** Reads a file once, and closes it. */
export function readOnce<T>(file: string, read: (database: DatabaseSync) => T): T {
  const database = openReadOnly(file)
  try {
    return read(database)
  } finally {
    database.close()
  }
}

function expectPragma(database: DatabaseSync, name: string, wanted: string | number): void {
  const found = database.prepare(`PRAGMA ${name}`).get()?.[name]
  if (found !== wanted)
    throw new Error(
      `SQLite did not apply ${name}=${wanted} (it reports ${found}): put the data directory on a local disk`,
    )
}
