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
  /** False if the account has no such session. */
  removeSession(tx: Tx, session: { readonly accountId: string; readonly id: string }): boolean
  /** Ends all sessions of the account except this one; null: all. */
  removeOthers(tx: Tx, session: { readonly accountId: string; readonly id: string | null }): void
  /** Removes sessions not used since the given time. Above the maximum, removes the least recently used. */
  trimSessions(tx: Tx, bound: SessionBound): void
}

export interface SessionBound {
  readonly accountId: string
  readonly createdBefore: number
  readonly usedBefore: number
  readonly kept: number
}
