/**
 * Keeps room for the next start. SQLite opens no database without room for the index of its log, so a
 * gateway that was stopped while the disk was full could not even serve reads. A file takes that room while
 * there is some, and a start that finds too little removes it first.
 */
import { randomBytes } from 'node:crypto'
import { closeSync, fstatSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

/** The index of an empty log is 32 KiB; a start commits a few pages of 4 KiB. */
const SPARE_BYTES = 512 * 1024

/** Before the database is opened: frees the spare room when little else is left. */
export function releaseSpareRoom(file: string): void {
  const { bavail, bsize } = statfsSync(dirname(file))
  if (bavail * bsize < SPARE_BYTES) rmSync(file, { force: true })
}

/** Once the database is open: takes the room again, or as much of it as the disk has. */
export function keepSpareRoom(file: string): void {
  const spare = openSync(file, 'a', 0o600)
  try {
    let missing = SPARE_BYTES - fstatSync(spare).size
    // Random, because some file systems store zeros in no room at all.
    while (missing > 0) missing -= writeSync(spare, randomBytes(missing))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
  } finally {
    closeSync(spare)
  }
}
