/**
 * Reserves disk space in a file, while the disk has some, for two needs on a full disk.
 *
 * The next start: SQLite needs space for the index of its log to open a database. A gateway that was stopped
 * while the disk was full could therefore not even serve reads. A start with too little space removes the
 * file.
 *
 * The alarm: the text to the owner must be stored, offered and reported. When the disk becomes full, the file
 * gives up the space for that, which nothing else may count as room.
 */
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  fstatSync,
  openSync,
  rmSync,
  statfsSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'

/** The index of an empty log is 32 KiB; a start commits a few pages of 4 KiB. */
const START_BYTES = 512 * 1024
/** A text to three recipients, with all steps of a phone, takes 200 KiB of the log. */
const ALARM_BYTES = 512 * 1024
const SPARE_BYTES = START_BYTES + ALARM_BYTES

/** The longest message changes some dozens of pages of 4 KiB. */
const MESSAGE_BYTES_MAX = 256 * 1024

/** Frees the reserve if the disk has little other space. Call this before opening the database. */
export function releaseSpareRoom(file: string): void {
  if (freeBytes(dirname(file)) < START_BYTES) rmSync(file, { force: true })
}

/** Frees the part of the reserve that is for the alarm. Call this when the disk became full. */
export function shareSpareRoom(file: string): void {
  if (sizeOf(file) > START_BYTES) truncateSync(file, START_BYTES)
}

/** Whether the disk has room for the longest message, beside what the reserve in the file `spare` lacks. */
export function hasRoom(directory: string, spare?: string): boolean {
  const missing = spare === undefined ? 0 : SPARE_BYTES - sizeOf(spare)
  return freeBytes(directory) >= MESSAGE_BYTES_MAX + missing
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
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
