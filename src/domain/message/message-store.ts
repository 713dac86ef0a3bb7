import type { Message } from '#domain/message/message.ts'
import type { Tx } from '#domain/tx.ts'

/** What an Idempotency-Key stands for: the first answer, and the body that earned it. */
export interface KeptAnswer {
  /** A MAC: the body may hold a short code, which a bare hash would reveal to anybody who tries all codes. */
  readonly bodyHash: string
  /** The `data` of the answer, JSON. */
  readonly answer: string
}

export interface IdempotencyKey {
  /** Of the account and the mode, live or test. */
  readonly scope: string
  readonly key: string
}

/** What the database remembers of messages. Reads see the transaction's own writes. */
export interface MessageStore {
  insert(tx: Tx, message: Message): void
  /** Writes what can change: status, device, attempt, times, failure, timeline, text. */
  save(tx: Tx, message: Message): void
  find(tx: Tx, id: string): Message | undefined
  /** Takes every queued message that is bound to the phone by choice off it. */
  unassign(tx: Tx, deviceId: string): void
  assign(tx: Tx, messageId: string, deviceId: string | null): void
  keepAnswer(tx: Tx, key: IdempotencyKey, kept: KeptAnswer & { readonly at: number }): void
  /** Not older than `since`, wall clock. */
  keptAnswer(tx: Tx, key: IdempotencyKey, since: number): KeptAnswer | undefined
}
