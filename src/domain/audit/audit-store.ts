import type { AuditEntry } from '#contracts/user.ts'
import type { Tx } from '#domain/tx.ts'

/** Something that was done in an account. */
export interface Deed {
  readonly accountId: string
  /** Wall-clock milliseconds. */
  readonly at: number
  /** The id of a user or an API key, or `COMMAND_LINE`. */
  readonly who: string
  readonly what: string
  readonly which: string | null
}

/** What was done by whom, for the writer. */
export interface AuditStore {
  /** Of more than an account may have, the oldest go. */
  noteDeed(tx: Tx, deed: Deed): void
}

export interface AuditQuery {
  readonly accountId: string
  /** Wall-clock milliseconds. */
  readonly since: number
  /** Only entries before this one; null: from the newest. */
  readonly before: number | null
  readonly limit: number
}

/** What was done by whom, the newest first, for a listener. */
export type AuditReader = (query: AuditQuery) => readonly AuditEntry[]
