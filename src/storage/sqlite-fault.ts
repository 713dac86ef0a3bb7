/** Classifies SQLite's errors by their primary result codes. @see https://www.sqlite.org/rescode.html */
const BUSY = 5
const READONLY = 8
const IOERR = 10
const CORRUPT = 11
const FULL = 13
const CANTOPEN = 14
const NOTADB = 26

/**
 * Whether the database may be damaged, or can no longer be opened or written. Only a new process, which runs
 * SQLite's recovery, may continue.
 */
export function isStorageLost(error: unknown): boolean {
  const code = primaryCode(error)
  return code !== null && [READONLY, IOERR, CORRUPT, CANTOPEN, NOTADB].includes(code)
}

/**
 * Whether the disk was full or another connection locked the file. Nothing was written, and a later try may
 * succeed.
 */
export function isTransient(error: unknown): boolean {
  const code = primaryCode(error)
  return code === FULL || code === BUSY
}

function primaryCode(error: unknown): number | null {
  if (!(error instanceof Error) || !('code' in error) || error.code !== 'ERR_SQLITE_ERROR') return null
  return 'errcode' in error ? Number(error.errcode) & 0xff : null
}
