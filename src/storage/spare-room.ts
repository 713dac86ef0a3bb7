/**
 * Reserves disk space for the next start. SQLite cannot open a database without space for the index of its
 * log, so a gateway stopped while the disk was full could not even serve reads. A file reserves that space
 * while there is some; a start with too little space removes it first.
 */
import { randomBytes } from 'node:crypto'
import { closeSync, fstatSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

/** The index of an empty log is 32 KiB; a start commits a few pages of 4 KiB. */
const SPARE_BYTES = 512 * 1024

/** Before the database is opened: frees the reserve if little else is left. */
export function releaseSpareRoom(file: string): void {
  const { bavail, bsize } = statfsSync(dirname(file))
  if (bavail * bsize < SPARE_BYTES) rmSync(file, { force: true })
}

/** Once the database is open: reserves the space again, as much as the disk has. */
export function keepSpareRoom(file: string): void {
  const spare = openSync(file, 'a', 0o600)
  try {
    let missing = SPARE_BYTES - fstatSync(spare).size
    // Random, because some file systems allocate no space for zeros.
    while (missing > 0) missing -= writeSync(spare, randomBytes(missing))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
  } finally {
    closeSync(spare)
  }
}
