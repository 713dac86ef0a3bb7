/**
 * Notices a database that went backwards. SQLite cuts a damaged WAL silently, and a restored backup looks
 * like any database: both would make the gateway send texts again that were sent already. So each transaction
 * counts itself inside the database, and after the commit the count goes into a file beside it. At start a
 * database that counts less than the file has lost transactions.
 *
 * The file needs no fsync: it may lag behind (after a power cut), it must only never run ahead.
 */
import { closeSync, openSync, readSync, writeSync } from 'node:fs'

export class CommitMark {
  readonly #fd: number
  readonly #buffer = Buffer.alloc(8)
  #highest: number

  constructor(file: string) {
    this.#fd = openSync(file, 'a+', 0o600)
    closeSync(this.#fd)
    this.#fd = openSync(file, 'r+')
    this.#highest =
      readSync(this.#fd, this.#buffer, 0, 8, 0) === 8 ? Number(this.#buffer.readBigUInt64LE()) : 0
  }

  /** The highest count ever committed, as far as the file knows. */
  get highest(): number {
    return this.#highest
  }

  /** Raises the mark; a lower count leaves it where it is. */
  write(count: number): void {
    if (count <= this.#highest) return
    this.#highest = count
    this.#buffer.writeBigUInt64LE(BigInt(count))
    writeSync(this.#fd, this.#buffer, 0, 8, 0)
  }

  close(): void {
    closeSync(this.#fd)
  }
}
