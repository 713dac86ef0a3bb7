import type { SessionResource } from '#contracts/session.ts'
import type { Role } from '#contracts/user.ts'
import type { Session } from '#domain/account/session.ts'

export interface FoundSession extends Session {
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
