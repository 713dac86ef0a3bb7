import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Tx } from '#domain/tx.ts'
import type { ChangeLog } from '#storage/change-log.ts'
import { LeadershipLost } from '#storage/sqlite-fault.ts'

/** The result type of a transaction. A promise is forbidden: its continuation would run after the commit. */
type Synchronous<T> = T extends PromiseLike<unknown> ? never : T

/** Runs callbacks inside transactions. Only this class makes a `Tx`. */
export class Transactor {
  readonly #begin: StatementSync
  readonly #commit: StatementSync
  readonly #database: DatabaseSync
  readonly #log: ChangeLog | null
  /** How long the last commit took, without what a cluster's log took. */
  commitMs = 0

  /** `log`: where the leader of a cluster appends the changes; null: nowhere. */
  constructor(database: DatabaseSync, log: ChangeLog | null = null) {
    this.#database = database
    this.#log = log
    this.#begin = database.prepare('BEGIN IMMEDIATE')
    this.#commit = database.prepare('COMMIT')
  }

  /** Commits the writes of the callback. If the callback or the commit throws, nothing is written. */
  transact<T>(callback: (tx: Tx) => Synchronous<T>): T {
    // `get` is faster than `run`, which builds a result object.
    this.#begin.get()
    try {
      this.#log?.begin()
      const result = callback({ hasWiped: false } as Tx)
      if (this.#log === null) this.#commitTimed()
      else this.#commitLogged(this.#log)
      return result
    } catch (error) {
      this.#log?.end()
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK')
      throw error
    }
  }

  #commitTimed(): void {
    const startedAt = performance.now()
    this.#commit.get()
    this.commitMs = performance.now() - startedAt
  }

  /** The log has the changes first. If the commit then fails, the next start takes them from the log. */
  #commitLogged(log: ChangeLog): void {
    log.seal()
    try {
      this.#commitTimed()
    } catch (error) {
      throw new LeadershipLost(error)
    }
  }
}
