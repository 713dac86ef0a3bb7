import type { Session } from '#domain/account/session.ts'
import type { Tx } from '#domain/tx.ts'

export interface SessionSecrets {
  /** SHA-256 of each half. */
  readonly cookieHash: Uint8Array
  readonly halfHash: Uint8Array
}

/** Sessions, for the writer. */
export interface SessionStore {
  insertSession(tx: Tx, session: Session & SessionSecrets): void
  touchSession(tx: Tx, id: string, usedAt: number): void
  /** False if the user has no such session. */
  removeSession(tx: Tx, session: { readonly userId: string; readonly id: string }): boolean
  /** Removes all sessions of the user except the one with this id; null: all of them. */
  removeOthers(tx: Tx, session: { readonly userId: string; readonly id: string | null }): void
  /** Removes sessions that are too old or unused for too long, then the least recently used above `kept`. */
  trimSessions(tx: Tx, bound: SessionBound): void
}

export interface SessionBound {
  readonly userId: string
  /** Wall clock, like `usedBefore`. */
  readonly createdBefore: number
  readonly usedBefore: number
  /** How many sessions stay at most. */
  readonly kept: number
}
