import type { StatementSync } from 'node:sqlite'
import type { TransactionObserver } from '#storage/memory.ts'
import type { DatabaseSync } from '#storage/sqlite.ts'
import { AnotherWriter } from '#storage/sqlite-fault.ts'

/** The number of commits that a database has counted (`storage/commit-mark.ts`). */
export function countCommits(database: DatabaseSync): number {
  return Number(database.prepare('SELECT count FROM commit_count').get()?.['count'])
}

/** Raises the count of a database to that of its mark. */
export function raiseCount(database: DatabaseSync, count: number): void {
  database.prepare('UPDATE commit_count SET count = ?1 WHERE count < ?1').run(count)
}

/** Counts the commits of the only writer, and so notices another one. */
export class CommitCounter implements TransactionObserver {
  /** Another process writes to the database, so this one must leave it as it is. */
  hasOther = false
  readonly #increment: StatementSync
  #count: number
  #next: number

  constructor(database: DatabaseSync) {
    this.#increment = database.prepare('UPDATE commit_count SET count = count + 1 WHERE count = ?')
    this.#count = countCommits(database)
    this.#next = this.#count
  }

  /** Counts the running transaction. @throws AnotherWriter */
  increment(): number {
    this.hasOther = this.#increment.run(this.#count).changes !== 1
    if (this.hasOther) throw new AnotherWriter()
    this.#next = this.#count + 1
    return this.#next
  }

  commit(): void {
    this.#count = this.#next
  }

  discard(): void {
    this.#next = this.#count
  }

  /** Continues from another count, which the caller has just stored. */
  continueFrom(count: number): void {
    this.#count = count
    this.#next = count
  }
}
