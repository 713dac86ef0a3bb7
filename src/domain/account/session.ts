import { SESSION_IDLE_MS, SESSION_LIFE_MS } from '#contracts/bounds.ts'
import type { SessionResource } from '#contracts/session.ts'
import type { Role } from '#contracts/user.ts'
import type { Tx } from '#domain/tx.ts'

/**
 * A login in a browser. Of the two halves of its secret only hashes are kept. Times are wall-clock
 * milliseconds.
 */
export interface Session {
  readonly id: string
  readonly accountId: string
  readonly userId: string
  readonly createdAt: number
  /** The time of the last use, written at most once a day. */
  readonly usedAt: number
  /** The client address of the login. */
  readonly address: string
  /** Browser and operating system, such as `Firefox on Linux`. */
  readonly browser: string
}

/** The wall-clock time at which the session ends if it is not used again. */
export function sessionEnd({ createdAt, usedAt }: Pick<Session, 'createdAt' | 'usedAt'>): number {
  return Math.min(createdAt + SESSION_LIFE_MS, usedAt + SESSION_IDLE_MS)
}

interface FoundSession extends Session {
  readonly halfHash: Uint8Array
  readonly plan: string
  readonly role: Role
}

/** Sessions for a listener; as fresh as the last commit. */
export interface SessionReader {
  /** By the SHA-256 of its cookie. */
  byCookie(hash: Uint8Array): FoundSession | undefined
  /** Sessions of the user, most recently used first. */
  sessionsOf(userId: string): readonly Session[]
  /** The user's e-mail address and role, and the plan of the account. */
  accountOf(userId: string): SessionResource['account'] | undefined
}

interface SessionSecrets {
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

interface SessionBound {
  readonly userId: string
  /** Wall clock, like `usedBefore`. */
  readonly createdBefore: number
  readonly usedBefore: number
  /** How many sessions stay at most. */
  readonly kept: number
}
