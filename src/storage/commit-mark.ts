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
  /** The count and what the next start must know, eight bytes each. */
  readonly #buffer = Buffer.alloc(40)
  #highest: number
  #lastRun: LastRun | null

  constructor(file: string) {
    // Create the file if it is missing, which 'r+' does not. 'a+' could not overwrite the count.
    closeSync(openSync(file, 'a+', 0o600))
    this.#fd = openSync(file, 'r+')
    const length = readSync(this.#fd, this.#buffer, 0, 40, 0)
    const numberAt = (place: number) => Number(this.#buffer.readBigInt64LE(place * 8))
    this.#highest = length >= 8 ? numberAt(0) : 0
    // Earlier versions wrote no time.
    const writtenAtMs = Math.round(fstatSync(this.#fd).mtimeMs)
    const written = { rowsAt: writtenAtMs, trustedAt: writtenAtMs, doubtedFrom: null, jumpedMs: 0 }
    const [, rowsAt = 0, trustedAt = 0, from = 0, jumpedMs = 0] = [0, 1, 2, 3, 4].map(numberAt)
    const kept = { rowsAt, trustedAt, doubtedFrom: from || null, jumpedMs }
    this.#lastRun = length === 0 ? null : length === 40 ? kept : written
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
    const { rowsAt, trustedAt, doubtedFrom, jumpedMs } = lastRun
    const numbers = [this.#highest, rowsAt, trustedAt, doubtedFrom ?? 0, jumpedMs]
    for (const [place, number] of numbers.entries()) this.#buffer.writeBigInt64LE(BigInt(number), place * 8)
    writeSync(this.#fd, this.#buffer, 0, 40, 0)
  }
}
