import type { Session } from '#domain/account/session.ts'

/** Sessions for a listener; as fresh as the last commit. */
export interface SessionReader {
  /** By the SHA-256 of its cookie. */
  byCookie(hash: Uint8Array): (Session & { readonly halfHash: Uint8Array; readonly plan: string }) | undefined
  /** Sessions of the account, most recently used first. */
  sessionsOf(accountId: string): readonly Session[]
  accountOf(accountId: string): { readonly email: string; readonly plan: string } | undefined
}
