import type { HeldAlerts, PassedRequest } from '#contracts/seen-trigger.ts'
import type { Move } from '#domain/clock/believed-clock.ts'
import type { OwnedRows } from '#domain/owned-store.ts'
import type { Tx } from '#domain/tx.ts'
import type { Storm, StormKind } from '#domain/webhook/storm.ts'
import type { Webhook, WebhookCounters } from '#domain/webhook/webhook.ts'

/** A span of wall-clock time: after `since`, up to and including `until`. */
export interface Span {
  readonly since: number
  readonly until: number
}

/** What became of a trigger. */
export interface FirstTrigger {
  readonly messageIds: readonly string[]
  /** Null: it has none. */
  readonly incidentId: string | null
}

/** The accepted triggers of the last hour. Each is a row in the database, so that they survive a restart. */
export interface TriggerLog {
  count(webhookId: string, span: Span): number
  /** The time of the trigger at `index`, counted from the oldest. */
  timeAt(webhookId: string, span: Span, index: number): number | undefined
  /**
   * The first trigger in the span that this request repeats: no other request about its thing came since; any
   * other request, where the thing of one of them is not known.
   */
  firstOf(webhookId: string, requestHash: Uint8Array, span: Span): FirstTrigger | undefined
  /** Whether the webhook took this mail in the span. */
  hasMail(webhookId: string, mailHash: Uint8Array, span: Span): boolean
}

/** Queries that the writer and the listeners share. */
export interface WebhookRows extends OwnedRows<Webhook> {
  readonly triggers: TriggerLog
  /** Finds a webhook, even a disabled one, by the SHA-256 of its token or of that of its mail address. */
  byToken(tokenHash: Uint8Array): Webhook | undefined
  /** The webhook with this id, of any account. */
  get(id: string): Webhook | undefined
}

/** Webhooks, for a listener; each answer is as fresh as the last commit. */
export interface WebhookReader extends WebhookRows {
  /** The name of the account's plan. */
  planOf(accountId: string): string | undefined
}

export interface AcceptedTrigger extends FirstTrigger {
  readonly webhookId: string
  /** Wall-clock milliseconds. */
  readonly at: number
  readonly requestHash: Uint8Array
  /** Whether it does not count towards the cap. */
  readonly isFree: boolean
  /** What it is about; null: unknown; empty: it is no request, but words of Roost's own. */
  readonly thing: string | null
}

export interface StormReference {
  readonly id: string
  readonly kind: StormKind
  /** Whether what the storm held was told, so that the database must forget it. */
  readonly isTold?: boolean
}

/** SHA-256 of the token of a webhook's path, and of the one of its mail address. */
export interface TokenHashes {
  readonly tokenHash: Uint8Array
  readonly mailHash: Uint8Array
}

/** Webhooks in the database. Reads see the transaction's own writes. */
export interface WebhookStore extends WebhookRows {
  insert(tx: Tx, webhook: Webhook, hashes: TokenHashes): void
  /** Writes the fields that its owner can change. */
  save(tx: Tx, webhook: Webhook): void
  /** From now on only the new token is valid. */
  saveToken(tx: Tx, webhook: Webhook, hashes: TokenHashes): void
  /** Replaces what the owner has settled. */
  saveReadings(tx: Tx, id: string, readings: Webhook['readings']): void
  saveGuesses(tx: Tx, id: string, guesses: WebhookCounters['guesses']): void
  remove(tx: Tx, id: string): void
  /** Removes triggers older than the window. */
  prune(tx: Tx, id: string, span: Pick<Span, 'since'>): void
  /** Moves the triggers, storms and silences of all webhooks. Returns the webhooks that have a storm. */
  move(tx: Tx, move: Move): readonly string[]
  /** Counts the trigger for the cap, and for the owner's statistics of `day` (whole days since 1970, UTC). */
  accept(tx: Tx, trigger: AcceptedTrigger, day: number): void
  /** Notes a request that was read and is not sent. What it follows is no longer repeated. */
  pass(tx: Tx, webhookId: string, request: PassedRequest): void
  /** Notes a mail that was taken, and forgets those before the span. */
  noteMail(tx: Tx, webhookId: string, mail: Span & { readonly mailHash: Uint8Array }): void
  /** Counts triggers that were refused, for the owner's statistics. */
  reject(tx: Tx, id: string, count: number): void
  /** Adds to the held-back alerts. Text and request are those of the last alert. */
  holdBack(tx: Tx, id: string, alerts: HeldAlerts): void
  /** Clears the held-back alerts, because a text reported them or the webhook wants no summary. */
  releaseHeld(tx: Tx, id: string): void
  /** Counts a text of Roost's own for the owner's statistics, but not for the cap. `day`: as in `accept`. */
  countOwn(tx: Tx, id: string, day: number): void
  saveSilence(tx: Tx, silence: Pick<Webhook, 'id' | 'heardAt' | 'silentAt'>): void
  /** Notes the text about a first refusal. */
  noteNotice(tx: Tx, id: string, at: number): void
  storm(id: string, kind: StormKind): Storm | undefined
  saveStorm(tx: Tx, which: StormReference, storm: Storm): void
}
