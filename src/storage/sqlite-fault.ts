/** SQLite's primary result codes that this program tells apart. @see https://www.sqlite.org/rescode.html */
const BUSY = 5
const READONLY = 8
const IOERR = 10
const CORRUPT = 11
const FULL = 13
const CANTOPEN = 14
const NOTADB = 26

/** After these the file may be damaged: only a new process, with SQLite's recovery, may continue. */
export function isStorageLost(error: unknown): boolean {
  const code = primaryCode(error)
  return code !== null && [READONLY, IOERR, CORRUPT, CANTOPEN, NOTADB].includes(code)
}

/** No space left, or another program locks the file: nothing was written, and a later try may succeed. */
export function isPassing(error: unknown): boolean {
  const code = primaryCode(error)
  return code === FULL || code === BUSY
}

function primaryCode(error: unknown): number | null {
  if (!(error instanceof Error) || !('code' in error) || error.code !== 'ERR_SQLITE_ERROR') return null
  return 'errcode' in error ? Number(error.errcode) & 0xff : null
}
