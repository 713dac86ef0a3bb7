/**
 * Detects a database that is a copy of another. The original may have sent messages that are still open in
 * the copy. The bytes of both are the same, so the database records the file that it is stored in. A renamed
 * file keeps its birth time, and a copy gets a new one. The identity is in the table `place`.
 */
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'

export interface FileIdentity {
  /** The machine id (machine-id(5)); null: there is none, as in most containers. */
  readonly machine: string | null
  readonly path: string
  readonly inode: string
  /** Nanoseconds since 1970; null: the file system does not record it. */
  readonly bornAt: string | null
}

/**
 * Whether a database is a copy, by its recorded identity and its present one. The same file on the same
 * machine, renamed or not, is the original. So is a file that was moved to another disk of the machine, if
 * the old file no longer exists. If it is not certain, the database counts as a copy, and its open messages
 * end as OUTCOME_UNKNOWN instead of being sent. Their owner is notified and can send them again, but a text
 * that was sent twice cannot be undone.
 */
export function isCopy(recorded: FileIdentity, here: FileIdentity, oldFileExists: boolean): boolean {
  const areMachinesKnown = recorded.machine !== null && here.machine !== null
  if (areMachinesKnown && recorded.machine !== here.machine) return true
  if (isSameFile(recorded, here)) return false
  const isMoved = areMachinesKnown && recorded.path !== here.path && !oldFileExists
  return !isMoved
}

/**
 * Compares birth times, because some file systems change the inodes at each mount. Compares inodes if a birth
 * time is not known.
 */
function isSameFile(one: FileIdentity, other: FileIdentity): boolean {
  if (one.bornAt !== null && other.bornAt !== null) return one.bornAt === other.bornAt
  return one.inode === other.inode
}

/** The identity of an existing file. */
export function identityOf(file: string): FileIdentity {
  const { ino, birthtimeNs, ctimeNs } = statSync(file, { bigint: true })
  // A file system without birth times reports 0, or the time of the last change.
  const isBirthKept = birthtimeNs > 0n && birthtimeNs !== ctimeNs
  return {
    machine: readMachine(),
    path: realpathSync(file),
    inode: String(ino),
    bornAt: isBirthKept ? String(birthtimeNs) : null,
  }
}

/** Whether the database is a copy of the one that was last opened; false: it was never opened. */
export function wasCopied(database: DatabaseSync, file: string): boolean {
  const row = database.prepare('SELECT machine, path, inode, born_at FROM place').get()
  if (row === undefined) return false
  const recorded: FileIdentity = {
    machine: row['machine'] === null ? null : String(row['machine']),
    path: String(row['path']),
    inode: String(row['inode']),
    bornAt: row['born_at'] === null ? null : String(row['born_at']),
  }
  return isCopy(recorded, identityOf(file), existsSync(recorded.path))
}

/** Records the identity of the database file, if it has changed. */
export function recordIdentity(database: DatabaseSync, file: string): void {
  const { machine, path, inode, bornAt } = identityOf(file)
  database
    .prepare(
      `INSERT INTO place VALUES (1, ?, ?, ?, ?) ON CONFLICT (only) DO UPDATE SET
        machine = excluded.machine, path = excluded.path, inode = excluded.inode, born_at = excluded.born_at
        WHERE (machine, path, inode, born_at)
          IS NOT (excluded.machine, excluded.path, excluded.inode, excluded.born_at)`,
    )
    .run(machine, path, inode, bornAt)
}

function readMachine(): string | null {
  for (const file of ['/etc/machine-id', '/var/lib/dbus/machine-id'])
    try {
      const id = readFileSync(file, 'utf8').trim()
      if (/^[0-9a-f]{32}$/.test(id)) return id
    } catch {
      // Try the next one.
    }
  return null
}
