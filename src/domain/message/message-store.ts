import type { Move } from '#domain/clock/believed-clock.ts'
import type { Message } from '#domain/message/message.ts'
import type { Tx } from '#domain/tx.ts'

/** The stored data of an Idempotency-Key: the first request's answer, and a MAC of that request's body. */
export interface KeptAnswer {
  /**
   * A MAC: the body may hold a short code, which an attacker could find from a bare hash by trying all codes.
   */
  readonly bodyHash: string
  /** The `data` of the answer, JSON. */
  readonly answer: string
}

/** A caller's name for a request, unique in its scope. */
export interface IdempotencyKey {
  /** The account and the mode, live or test. */
  readonly scope: string
  readonly key: string
}

/** A name for all messages of one call, unique in its account and mode. */
export interface CallName {
  readonly accountId: string
  readonly test: boolean
  readonly name: string
}

/** Messages in the database. Reads see the transaction's own writes. */
export interface MessageStore {
  /** Inserts a message that was just accepted: it is queued and has no attempt yet. */
  insert(tx: Tx, message: Message): void
  /** Writes the fields that can change: status, device, attempt, times, failure, timeline, text. */
  save(tx: Tx, message: Message): void
  /** Corrects the times that were written since `from`. */
  redate(tx: Tx, move: Pick<Move, 'from' | 'ms'>): void
  find(tx: Tx, id: string): Message | undefined
  /** Unassigns every queued message that is assigned, but not pinned, to the phone. */
  unassign(tx: Tx, deviceId: string): void
  assign(tx: Tx, messageId: string, deviceId: string | null): void
  isCallNamed(tx: Tx, call: CallName): boolean
  nameCall(tx: Tx, call: CallName, messageIds: readonly string[]): void
  keepAnswer(tx: Tx, key: IdempotencyKey, kept: KeptAnswer & { readonly at: number }): void
  /** The answer kept for this key, if it was made after `since` (wall clock). */
  keptAnswer(tx: Tx, key: IdempotencyKey, since: number): KeptAnswer | undefined
}
