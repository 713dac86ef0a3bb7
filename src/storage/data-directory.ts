/**
 * The data directory and its lock. The lock is a small SQLite file, locked in EXCLUSIVE mode. The operating
 * system releases the lock when the process ends, even by kill -9, so no stale lock can remain.
 */
import { chmodSync, existsSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DatabaseSync } from '#storage/sqlite.ts'
import { makeDirectory } from '#storage/sync-directory.ts'

export interface DataDirectory {
  readonly path: string
  readonly database: string
  readonly commitMark: string
  /** Hashes of revoked keys and tokens, in case the database loses a revocation. */
  readonly endedCredentials: string
  /** A file that reserves space, so that the gateway can start on a full disk. */
  readonly spareRoom: string
  /** An empty file. Its time is that of the last check that found the database intact. */
  readonly databaseChecked: string
  /** The lease with which a gateway led its cluster last. */
  readonly clusterLease: string
  readonly lock: string
  readonly controlSocket: string
  readonly secrets: string
  /** Nightly copies that are switched on at the API, where no other folder is named. */
  readonly backups: string
  /** Journals of the agents of phones that the gateway connects to. */
  readonly phones: string
  /**
   * Key that signs account tokens. It is outside the database, so that a copy of the database cannot sign.
   */
  readonly jwtKey: string
  /** Key for the MACs of one-time codes. It is outside the database, so that a copy reveals no code. */
  readonly codeKey: string
  /** Key that encrypts the log of a cluster. */
  readonly clusterKey: string
  /** Certificate and key of the owner's certificate authority (PEM). */
  readonly authority: string
  /** The gateway's own certificate, which that authority issued, and its key (PEM). */
  readonly certificate: string
}

/** The paths in the directory; nothing is read or written. */
export function dataDirectory(path: string): DataDirectory {
  const root = resolve(path)
  return {
    path: root,
    database: join(root, 'roost.db'),
    commitMark: join(root, 'commit-mark'),
    endedCredentials: join(root, 'ended-credentials'),
    spareRoom: join(root, 'spare-room'),
    databaseChecked: join(root, 'database-checked'),
    clusterLease: join(root, 'cluster-lease'),
    lock: join(root, 'lock'),
    controlSocket: join(root, 'control.sock'),
    secrets: join(root, 'secrets'),
    backups: join(root, 'backups'),
    phones: join(root, 'phones'),
    jwtKey: join(root, 'secrets', 'jwt-key'),
    codeKey: join(root, 'secrets', 'code-key'),
    clusterKey: join(root, 'secrets', 'cluster-key'),
    authority: join(root, 'secrets', 'authority.pem'),
    certificate: join(root, 'secrets', 'certificate.pem'),
  }
}

/** Creates the directory if it is missing. Only its owner can read it and its files. */
export function makeDataDirectory(directory: DataDirectory): void {
  makeDirectory(directory.path)
  chmodSync(directory.path, 0o700)
  for (const suffix of ['', '-wal', '-shm']) {
    const file = directory.database + suffix
    if (existsSync(file)) chmodSync(file, 0o600)
  }
  const { secrets } = directory
  if (!existsSync(secrets)) return
  chmodSync(secrets, 0o700)
  for (const name of readdirSync(secrets)) chmodSync(join(secrets, name), 0o600)
}

/** Takes the lock until `release` or the end of the process. Null: another process holds the lock. */
export function lockDataDirectory(directory: DataDirectory): { release(): void } | null {
  const lock = new DatabaseSync(directory.lock, { timeout: 0 })
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE; COMMIT')
    chmodSync(directory.lock, 0o600)
    rollBackJournal(directory.database)
    return { release: () => lock.close() }
  } catch (error) {
    lock.close()
    if (error instanceof Error && /locked|busy/i.test(error.message)) return null
    throw error
  }
}

/**
 * Ends a write that a power cut interrupted. A database that is new or restored has a rollback journal for a
 * moment, before it is in WAL mode. Only a writable connection can roll it back.
 */
function rollBackJournal(file: string): void {
  if (!existsSync(journalOf(file)) || !existsSync(file)) return
  const database = new DatabaseSync(file, { timeout: 5000 })
  try {
    database.prepare('SELECT 1 FROM sqlite_schema').get()
  } finally {
    database.close()
  }
}

export function journalOf(database: string): string {
  return `${database}-journal`
}
