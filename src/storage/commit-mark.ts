/**
 * Detects a database that went back to an older state. SQLite silently drops the damaged end of a WAL, and a
 * restored copy looks like any database. In both cases the gateway would send texts again. So each
 * transaction increments a counter in the database, and after the commit the count is also written to a file,
 * the commit mark. A database that counts less than the file has lost commits.
 *
 * The mark also holds the wall clock, at least each minute: until then the gateway ran. Opening it changes
 * neither value, so each start finds the time at which the last run ended.
 *
 * The file needs no fsync: after a power cut it may be behind the database, but never ahead.
 */
import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs'

/** The time of the mark is this old at most while the gateway runs. Each touch is a write to the disk. */
const TOUCHED_EVERY_MS = 60_000

export class CommitMark {
  readonly #fd: number
  /** The count and the time, eight bytes each. */
  readonly #buffer = Buffer.alloc(16)
  #highest: number
  #writtenAtMs: number

  constructor(file: string) {
    // Create the file if it is missing, which 'r+' does not. 'a+' could not overwrite the count.
    closeSync(openSync(file, 'a+', 0o600))
    this.#fd = openSync(file, 'r+')
    const length = readSync(this.#fd, this.#buffer, 0, 16, 0)
    this.#highest = length >= 8 ? Number(this.#buffer.readBigUInt64LE(0)) : 0
    // Earlier versions wrote no time.
    this.#writtenAtMs =
      length === 16 ? Number(this.#buffer.readBigUInt64LE(8)) : Math.round(fstatSync(this.#fd).mtimeMs)
  }

  /** The highest count that was written to the mark. */
  get highest(): number {
    return this.#highest
  }

  /** The wall clock of the last write, milliseconds since 1970: the gateway ran at least until then. */
  get writtenAtMs(): number {
    return this.#writtenAtMs
  }

  /** Raises the mark; a lower count is ignored. */
  write(count: number, wallMs: number): void {
    if (count <= this.#highest) return
    this.#highest = count
    this.#write(wallMs)
  }

  /** Notes that the gateway runs at this time. */
  note(wallMs: number): void {
    try {
      this.#write(wallMs)
    } catch {
      // A full disk may refuse even this. The gateway then counts as off for longer than it was.
    }
  }

  /** The same, at most once a minute. */
  touch(wallMs: number): void {
    if (Math.abs(wallMs - this.#writtenAtMs) >= TOUCHED_EVERY_MS) this.note(wallMs)
  }

  close(): void {
    closeSync(this.#fd)
  }

  #write(wallMs: number): void {
    this.#writtenAtMs = Math.floor(wallMs)
    this.#buffer.writeBigUInt64LE(BigInt(this.#highest), 0)
    this.#buffer.writeBigUInt64LE(BigInt(this.#writtenAtMs), 8)
    writeSync(this.#fd, this.#buffer, 0, 16, 0)
  }
}
