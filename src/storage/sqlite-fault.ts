/** Classifies SQLite's errors by their primary result codes. @see https://www.sqlite.org/rescode.html */
import { messageOf } from '#domain/cause.ts'

const BUSY = 5
const READONLY = 8
const IOERR = 10
const CORRUPT = 11
const FULL = 13
const CANTOPEN = 14
const NOTADB = 26

/** Characters of what SQLite found, in a message. */
const FOUND_LENGTH_MAX = 120

/** Other threads recognize this error by its `code`: an error that crosses threads loses its class. */
export class DatabaseDamaged extends Error {
  readonly code = 'DATABASE_DAMAGED'

  constructor(found: string, cause?: unknown) {
    // SQLite's report has several lines.
    super(`the database is damaged (${found.replace(/\s+/g, ' ').slice(0, FOUND_LENGTH_MAX)})`, { cause })
  }
}

/**
 * Another process writes to the database, although this one holds its lock. File locks do nothing on some
 * network shares.
 */
export class AnotherWriter extends Error {
  readonly code = 'ANOTHER_WRITER'

  constructor() {
    super(
      'another process writes to the database, so this one ends and leaves the data to it: run one ' +
        'gateway, and put the data directory on a local disk, where file locks work',
    )
  }
}

/** Another member of the cluster leads, or the log does not answer. The process must end. */
export class LeadershipLost extends Error {
  readonly code = 'LEADERSHIP_LOST'

  constructor(cause?: unknown) {
    super('this gateway no longer leads its cluster, so it ends', { cause })
  }
}

/** The disk has no room for a transaction. Nothing was written. */
export class DiskFull extends Error {
  readonly code = 'DISK_FULL'

  constructor() {
    super('the disk is full')
  }
}

/** The error, or a `DatabaseDamaged` in place of an error by which SQLite reports damage. */
export function asDamage(error: unknown): unknown {
  const code = primaryCode(error)
  return code === CORRUPT || code === NOTADB ? new DatabaseDamaged(messageOf(error), error) : error
}

/**
 * Whether the database may be damaged, can no longer be opened or written, has another writer, or is ahead of
 * the cluster's log. Only a new process, which runs SQLite's recovery, may continue.
 */
export function isStorageLost(error: unknown): boolean {
  if (error instanceof AnotherWriter || error instanceof LeadershipLost) return true
  const code = primaryCode(error)
  return code !== null && [READONLY, IOERR, CORRUPT, CANTOPEN, NOTADB].includes(code)
}

/**
 * Whether the disk was full or another connection locked the file. Nothing was written, and a later try may
 * succeed.
 */
export function isTransient(error: unknown): boolean {
  const code = primaryCode(error)
  return error instanceof DiskFull || code === FULL || code === BUSY
}

function primaryCode(error: unknown): number | null {
  if (!(error instanceof Error) || !('code' in error) || error.code !== 'ERR_SQLITE_ERROR') return null
  return 'errcode' in error ? Number(error.errcode) & 0xff : null
}
