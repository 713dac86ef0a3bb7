import type { KeptBody, SeenTrigger } from '#contracts/seen-trigger.ts'
import type { Tx } from '#domain/tx.ts'

/** The last triggers of webhooks, for reading. */
export interface SeenTriggerReader {
  /** The triggers after `since` (wall clock), newest first. */
  list(webhookId: string, since: number): readonly SeenTrigger[]
  lastBody(webhookId: string, since: number): KeptBody | undefined
}

/** The last triggers of webhooks, as owners see them; what counts towards a cap is in `WebhookStore`. */
export interface SeenTriggerStore {
  /** Whether a stored trigger came from this address and was accepted. */
  hasTriggered(webhookId: string, address: string): boolean
  /** Whether the cap refused a trigger after `since` (wall clock). */
  wasOverCap(webhookId: string, since: number): boolean
  /** Adds triggers, and keeps a bounded number for each webhook. */
  add(tx: Tx, webhookId: string, seen: readonly SeenTrigger[]): void
  /** Stores the last body of a webhook. It replaces the earlier one. */
  keepBody(tx: Tx, webhookId: string, body: KeptBody): void
  forgetBody(tx: Tx, webhookId: string): void
  /** Removes all data of the webhook. */
  forget(tx: Tx, webhookId: string): void
}
