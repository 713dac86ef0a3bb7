/**
 * Erases wiped content from the write-ahead log. `secure_delete` overwrites it in the database pages, but the
 * log keeps the old pages until they are overwritten, which may take days. So after a transaction that wiped
 * content, the log is checkpointed and truncated. This takes two disk syncs, so it happens at most once in
 * `LOG_ERASED_EVERY_MS`. If a reader blocks the checkpoint, the writer waits only briefly, and tries again
 * after the same interval.
 */
import type { DatabaseSync } from 'node:sqlite'
import type { TransactionObserver } from '#storage/memory.ts'
import { isTransient } from '#storage/sqlite-fault.ts'

/** The write-ahead log is erased at most this often: each erasure syncs twice, 50 ms on a slow SD card. */
export const LOG_ERASED_EVERY_MS = 1_000
/** How long an erasure waits for readers of the log. Callers of the writer wait meanwhile. */
const LOG_ERASING_WAIT_MS_MAX = 20

export class LogEraser implements TransactionObserver {
  readonly #database: DatabaseSync
  readonly #monoMs: () => number
  #hasWiped = false
  #dueAt: number | null = null
  #triedAt = Number.NEGATIVE_INFINITY

  constructor(database: DatabaseSync, monoMs: () => number) {
    this.#database = database
    this.#monoMs = monoMs
  }

  /** When to erase the log, milliseconds of the monotonic clock; null: the log holds no wiped content. */
  get dueAt(): number | null {
    return this.#dueAt
  }

  /** Records that the running transaction wiped content. */
  noteWipe(): void {
    this.#hasWiped = true
  }

  /** Records that the log of an earlier process is left and may hold wiped content. */
  noteLog(): void {
    this.#dueAt ??= this.#monoMs() + LOG_ERASED_EVERY_MS
  }

  commit(): void {
    if (this.#hasWiped) this.#dueAt ??= Math.max(this.#monoMs(), this.#triedAt + LOG_ERASED_EVERY_MS)
    this.#hasWiped = false
  }

  discard(): void {
    this.#hasWiped = false
  }

  /**
   * Erases the log if that is due. Call this outside transactions. @throws an SQLite error that ends the
   * process
   */
  erase(): void {
    const monoMs = this.#monoMs()
    if (this.#dueAt === null || this.#dueAt > monoMs) return
    this.#triedAt = monoMs
    this.#dueAt = this.#truncate() ? null : monoMs + LOG_ERASED_EVERY_MS
  }

  #truncate(): boolean {
    const timeout = Number(this.#database.prepare('PRAGMA busy_timeout').get()?.['timeout'])
    this.#database.exec(`PRAGMA busy_timeout = ${LOG_ERASING_WAIT_MS_MAX}`)
    try {
      return truncateLog(this.#database)
    } finally {
      this.#database.exec(`PRAGMA busy_timeout = ${timeout}`)
    }
  }
}

/** Checkpoints and truncates the log. False: a reader blocks it, or the disk is full. */
export function truncateLog(database: DatabaseSync): boolean {
  try {
    return database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.['busy'] === 0
  } catch (error) {
    if (isTransient(error)) return false
    throw error
  }
}
