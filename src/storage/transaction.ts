import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Tx } from '#domain/tx.ts'

/** The result type of a transaction. A promise is forbidden: its continuation would run after the commit. */
type Synchronous<T> = T extends PromiseLike<unknown> ? never : T

/** Runs callbacks inside transactions. Only this class makes a `Tx`. */
export class Transactor {
  readonly #begin: StatementSync
  readonly #commit: StatementSync
  readonly #database: DatabaseSync

  constructor(database: DatabaseSync) {
    this.#database = database
    this.#begin = database.prepare('BEGIN IMMEDIATE')
    this.#commit = database.prepare('COMMIT')
  }

  /** Commits the writes of the callback. If the callback or the commit throws, nothing is written. */
  transact<T>(callback: (tx: Tx) => Synchronous<T>): T {
    // `get` is faster than `run`, which builds a result object.
    this.#begin.get()
    try {
      const result = callback({ hasWiped: false } as Tx)
      this.#commit.get()
      return result
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK')
      throw error
    }
  }
}
