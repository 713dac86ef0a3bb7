import type { Tx } from '#domain/tx.ts'

/** `open`: may still be verified. The others are final. */
export type CodeState = 'open' | 'used' | 'superseded' | 'expired'

/** A code as stored in the database: only a MAC of the code itself is kept. */
export interface CodeRecord {
  readonly messageId: string
  readonly accountId: string
  readonly test: boolean
  /** E.164. */
  readonly phoneNumber: string
  /** A MAC of the code and its message id. */
  readonly mac: Uint8Array
  readonly state: CodeState
  /** How many tries were counted. */
  readonly tries: number
  /** A bit field: bit n - 1 is set after try n was compared. */
  readonly compared: number
  /** Wall clock. */
  readonly createdAt: number
  readonly expiresAt: number
}

/** A number in one account and one mode. */
export interface CodeOwner {
  readonly accountId: string
  readonly test: boolean
  readonly phoneNumber: string
}

export interface TwoFactorStore {
  /** `text` is the text for the phone, with the code. */
  insert(tx: Tx, record: CodeRecord, text: string): void
  /** Writes state, tries and compared. */
  save(tx: Tx, record: CodeRecord): void
  find(tx: Tx, messageId: string): CodeRecord | undefined
  /** The code that was issued last for the number, whatever its state. */
  findNewest(tx: Tx, owner: CodeOwner): CodeRecord | undefined
  /** The times at which codes were issued for the number, newest first, at most `limit`. */
  issuedAt(tx: Tx, owner: CodeOwner, limit: number): readonly number[]
  /** The text of a code. Null: it was wiped. Undefined: the message has no code. */
  textOf(tx: Tx, messageId: string): string | null | undefined
  wipeText(tx: Tx, messageId: string): void
  /** Failures of the number on this day, whole days since 1970. */
  failuresOn(tx: Tx, owner: CodeOwner, day: number): number
  saveFailures(tx: Tx, owner: CodeOwner, count: { readonly day: number; readonly failures: number }): void
}
