import { SESSION_IDLE_MS, SESSION_LIFE_MS } from '#contracts/bounds.ts'

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
