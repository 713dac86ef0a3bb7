/**
 * Opens SQLite with the only safe settings. WAL with `synchronous=FULL`: each commit is on the disk before
 * the caller is answered (with NORMAL a power cut loses the last commits). Only the writer checkpoints. The
 * settings are read back, because SQLite ignores those that it cannot apply, for example on some network file
 * systems. Deleted and wiped content is overwritten (`secure_delete`): no free page keeps a code or an old
 * text.
 *
 * @see https://www.sqlite.org/pragma.html#pragma_synchronous
 */
import { DatabaseSync } from '#storage/sqlite.ts'

const FULL = 2

/** The one read-write connection of the process. */
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

/** A connection for indexed, bounded reads; any number, in any thread. */
export function openReadOnly(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5000 })
  database.exec('PRAGMA trusted_schema = OFF; PRAGMA query_only = ON; PRAGMA cache_size = -8192')
  return database
}

function expectPragma(database: DatabaseSync, name: string, wanted: string | number): void {
  const found = database.prepare(`PRAGMA ${name}`).get()?.[name]
  if (found !== wanted)
    throw new Error(
      `SQLite did not take ${name}=${wanted} (it says ${found}): is the data directory on a local disk?`,
    )
}
