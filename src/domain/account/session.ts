import { SESSION_IDLE_MS, SESSION_LIFE_MS } from '#contracts/session-bounds.ts'

/** Somebody who is logged in with a browser. Its two secrets are kept as hashes alone. */
export interface Session {
  readonly id: string
  readonly accountId: string
  readonly createdAt: number
  /** Written at most once a day. */
  readonly usedAt: number
  /** Where it was opened from. */
  readonly address: string
  /** The browser's name for people. */
  readonly browser: string
}

/** When it ends unless it is used before. */
export function sessionEnd({ createdAt, usedAt }: Pick<Session, 'createdAt' | 'usedAt'>): number {
  return Math.min(createdAt + SESSION_LIFE_MS, usedAt + SESSION_IDLE_MS)
}
