/**
 * Detects a database that went back to an older state. SQLite silently drops the damaged end of a WAL, and a
 * restored copy looks like any database. In both cases the gateway would send texts again. So each
 * transaction increments a counter in the database, and after the commit the count is also written to a file,
 * the commit mark. A database that counts less than the file has lost commits.
 *
 * The file needs no fsync: after a power cut it may be behind the database, but never ahead.
 */
import { closeSync, fstatSync, futimesSync, openSync, readSync, writeSync } from 'node:fs'

export class CommitMark {
  readonly #fd: number
  readonly #buffer = Buffer.alloc(8)
  #highest: number
  /** When the mark was last written, milliseconds since 1970: the gateway ran at least until then. */
  readonly writtenAtMs: number

  constructor(file: string) {
    // Create the file if it is missing, which 'r+' does not. 'a+' could not overwrite the count.
    closeSync(openSync(file, 'a+', 0o600))
    this.#fd = openSync(file, 'r+')
    this.writtenAtMs = fstatSync(this.#fd).mtimeMs
    futimesSync(this.#fd, new Date(), new Date())
    this.#highest =
      readSync(this.#fd, this.#buffer, 0, 8, 0) === 8 ? Number(this.#buffer.readBigUInt64LE()) : 0
  }

  /** The highest count that was written to the mark. */
  get highest(): number {
    return this.#highest
  }

  /** Raises the mark; a lower count is ignored. */
  write(count: number): void {
    if (count <= this.#highest) return
    this.#highest = count
    this.#buffer.writeBigUInt64LE(BigInt(count))
    writeSync(this.#fd, this.#buffer, 0, 8, 0)
  }

  close(): void {
    futimesSync(this.#fd, new Date(), new Date())
    closeSync(this.#fd)
  }
}
