/**
 * Reserves disk space for the next start. SQLite needs space for the index of its log to open a database. A
 * gateway that was stopped while the disk was full could therefore not even serve reads. So a file reserves
 * the space while the disk has some, and a start with too little space removes the file.
 */
import { randomBytes } from 'node:crypto'
import { closeSync, fstatSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

/** The index of an empty log is 32 KiB; a start commits a few pages of 4 KiB. */
const SPARE_BYTES = 512 * 1024

/** The longest message changes some dozens of pages of 4 KiB. */
const MESSAGE_BYTES_MAX = 256 * 1024

/** Frees the reserve if the disk has little other space. Call this before opening the database. */
export function releaseSpareRoom(file: string): void {
  if (freeBytes(dirname(file)) < SPARE_BYTES) rmSync(file, { force: true })
}

/** Whether the disk of this directory has room for the longest message. */
export function hasRoom(directory: string): boolean {
  return freeBytes(directory) >= MESSAGE_BYTES_MAX
}

/** Root may also use the blocks that a file system reserves. */
function freeBytes(directory: string): number {
  const { bavail, bfree, bsize } = statfsSync(directory)
  return (process.geteuid?.() === 0 ? bfree : bavail) * bsize
}

/** Reserves the space again, as far as the disk has it. Call this once the database is open. */
export function keepSpareRoom(file: string): void {
  const spare = openSync(file, 'a', 0o600)
  try {
    let missing = SPARE_BYTES - fstatSync(spare).size
    // Write random bytes, because some file systems store zeros without using space.
    while (missing > 0) missing -= writeSync(spare, randomBytes(missing))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
  } finally {
    closeSync(spare)
  }
}
