import type { AlertField } from '#contracts/alert-reading.ts'
import type { SeenTrigger, StoredTrigger } from '#contracts/seen-trigger.ts'
import type { Tx } from '#domain/tx.ts'

/** The last triggers of webhooks, for reading. */
export interface SeenTriggerReader {
  /** The triggers after `since` (wall clock), newest first. */
  list(webhookId: string, since: number): readonly StoredTrigger[]
  /** The newest text that an alert after `since` became, also if it was not sent; undefined: none did. */
  lastText(webhookId: string, since: number): SeenText | undefined
}

export interface SeenText {
  /** Wall clock, milliseconds. */
  readonly at: number
  readonly message: string
  /** Whether Roost guessed its words. */
  readonly guess: boolean
}

/** The last triggers of webhooks, as owners see them; what counts towards a cap is in `WebhookStore`. */
export interface SeenTriggerStore {
  /** Whether a stored trigger came from this address and was accepted. */
  hasTriggered(webhookId: string, address: string): boolean
  /** Whether the cap refused a trigger after `since` (wall clock). */
  wasOverCap(webhookId: string, since: number): boolean
  /** The fields of the last kept body of this shape. */
  fieldsOf(webhookId: string, shape: string): readonly AlertField[] | undefined
  /** Adds triggers, and keeps a bounded number of them, and bytes of their requests, for each webhook. */
  add(tx: Tx, webhookId: string, seen: readonly SeenTrigger[]): void
  /** Removes what is kept of the requests. */
  forgetRequests(tx: Tx, webhookId: string): void
  /** Removes all data of the webhook. */
  forget(tx: Tx, webhookId: string): void
}
