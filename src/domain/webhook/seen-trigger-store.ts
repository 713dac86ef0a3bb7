import type { KeptBody, SeenTrigger } from '#contracts/seen-trigger.ts'
import type { Tx } from '#domain/tx.ts'

/** The last triggers of webhooks, for reading. */
export interface SeenTriggerReader {
  /** Newest first, those after `since` (wall clock). */
  list(webhookId: string, since: number): readonly SeenTrigger[]
  lastBody(webhookId: string, since: number): KeptBody | undefined
}

/** The last triggers of webhooks, as owners see them; what counts towards a cap is in `WebhookStore`. */
export interface SeenTriggerStore {
  /** One of those that are kept came from this address and was carried out. */
  hasTriggered(webhookId: string, address: string): boolean
  /** The cap refused one after `since`, wall clock. */
  wasOverCap(webhookId: string, since: number): boolean
  /** Keeps a bounded number a webhook. */
  add(tx: Tx, webhookId: string, seen: readonly SeenTrigger[]): void
  /** In place of the one before. */
  keepBody(tx: Tx, webhookId: string, body: KeptBody): void
  forgetBody(tx: Tx, webhookId: string): void
  /** All that is known of the webhook. */
  forget(tx: Tx, webhookId: string): void
}
