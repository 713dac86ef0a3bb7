/**
 * Detects a database that went back to an older state. SQLite silently drops the damaged end of a WAL, and a
 * restored copy looks like any database. In both cases the gateway would send texts again. So each
 * transaction increments a counter in the database, and after the commit the count is also written to a file,
 * the commit mark. A database that counts less than the file has lost commits.
 *
 * The mark also holds the time, at least each minute: until then the gateway ran. Opening it changes nothing,
 * so each start finds the time at which the last run ended.
 *
 * The file needs no fsync: after a power cut it may be behind the database, but never ahead.
 */
import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs'
import type { LastRun } from '#domain/clock/believed-clock.ts'

/** The time of the mark is this old at most while the gateway runs. Each touch is a write to the disk. */
const TOUCHED_EVERY_MS = 60_000

export class CommitMark {
  readonly #fd: number
  /** The count and the two times, eight bytes each. */
  readonly #buffer = Buffer.alloc(24)
  #highest: number
  #lastRun: LastRun | null

  constructor(file: string) {
    // Create the file if it is missing, which 'r+' does not. 'a+' could not overwrite the count.
    closeSync(openSync(file, 'a+', 0o600))
    this.#fd = openSync(file, 'r+')
    const length = readSync(this.#fd, this.#buffer, 0, 24, 0)
    const numberAt = (offset: number) => Number(this.#buffer.readBigUInt64LE(offset))
    this.#highest = length >= 8 ? numberAt(0) : 0
    // Earlier versions wrote no time.
    const writtenAtMs = Math.round(fstatSync(this.#fd).mtimeMs)
    const [rowsAt, trustedAt] = length === 24 ? [numberAt(8), numberAt(16)] : [writtenAtMs, writtenAtMs]
    this.#lastRun = length === 0 ? null : { rowsAt, trustedAt }
  }

  /** The highest count that was written to the mark. */
  get highest(): number {
    return this.#highest
  }

  /** The time of the last write: the gateway ran at least until then. Null: the mark is new. */
  get lastRun(): LastRun | null {
    return this.#lastRun
  }

  /** Raises the mark; a lower count is ignored. */
  write(count: number, lastRun: LastRun): void {
    if (count <= this.#highest) return
    this.#highest = count
    this.#write(lastRun)
  }

  /** Notes that the gateway runs at this time. */
  note(lastRun: LastRun): void {
    try {
      this.#write(lastRun)
    } catch {
      // A full disk may refuse even this. The gateway then counts as off for longer than it was.
    }
  }

  /** The same, at most once a minute. */
  touch(lastRun: LastRun): void {
    const passedMs = lastRun.rowsAt - (this.#lastRun?.rowsAt ?? 0)
    if (Math.abs(passedMs) >= TOUCHED_EVERY_MS) this.note(lastRun)
  }

  close(): void {
    closeSync(this.#fd)
  }

  #write(lastRun: LastRun): void {
    this.#lastRun = lastRun
    const numbers = [this.#highest, lastRun.rowsAt, lastRun.trustedAt]
    for (const [place, number] of numbers.entries()) this.#buffer.writeBigUInt64LE(BigInt(number), place * 8)
    writeSync(this.#fd, this.#buffer, 0, 24, 0)
  }
}
