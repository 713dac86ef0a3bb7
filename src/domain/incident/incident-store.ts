import type { IncidentState } from '#contracts/incident.ts'
import type { Incident, IncidentHead } from '#domain/incident/incident.ts'
import type { Tx } from '#domain/tx.ts'

/** Which incidents a list shows. */
export interface IncidentFilter {
  readonly accountId: string
  readonly state: IncidentState | null
  readonly webhookId: string | null
  /** Only incidents older than the one with this id. */
  readonly before: string | null
  readonly limit: number
}

export interface IncidentPage {
  /** Newest first. */
  readonly incidents: readonly Incident[]
  /** Where the next page begins; null: this is the last page. A short page may still have a next one. */
  readonly next: string | null
}

/** Queries that the writer and the listeners share. */
export interface IncidentRows {
  find(accountId: string, id: string): Incident | undefined
  list(filter: IncidentFilter): IncidentPage
  /** Those that are not closed, oldest first. */
  live(accountId: string): readonly IncidentHead[]
}

/** An incident that is not closed, as far as an alert asks about it. */
export interface IncidentPlace extends Pick<Incident, 'id' | 'alertAt'> {
  readonly state: Exclude<IncidentState, 'closed'>
}

/** A number that was given, and when its last incident was closed; null: it is not. */
export type GivenNumber = Pick<Incident, 'number' | 'closedAt'>

/**
 * Incidents in the database. Reads see the transaction's own writes. What an alert asks reads columns by an
 * index, so that it costs the same however many incidents there are.
 */
export interface IncidentStore extends IncidentRows {
  /** The incident with this id, of any account. */
  get(id: string): Incident | undefined
  countLive(accountId: string): number
  /** Those of a webhook that are not closed, oldest first. */
  ofWebhook(webhookId: string): readonly IncidentPlace[]
  /**
   * Those of them that are about the thing with this key, or else with the key that the release before gave
   * it, if they are from then.
   */
  aboutThing(
    webhook: { readonly accountId: string; readonly id: string },
    alert: { readonly key: string | null; readonly formerKey?: string },
  ): readonly (IncidentPlace & { readonly isOver: boolean })[]
  numbers(accountId: string): readonly GivenNumber[]
  /** Those of a webhook that are not closed, or that were closed after `since` and are among the newest. */
  knownOf(
    webhook: { readonly accountId: string; readonly id: string },
    since: number,
  ): readonly IncidentHead[]
  /** Of the newest that were closed after `since`: those of a webhook whose end had to wait to be told. */
  ended(webhook: { readonly accountId: string; readonly id: string }, since: number): readonly IncidentHead[]
  /** The last one with this number that was closed. */
  lastClosed(accountId: string, number: number): IncidentHead | undefined
  /** The one to close if another has no room: the oldest unanswered, or of the webhook that has most. */
  spare(accountId: string): string | undefined
  /** Ids of those of all accounts that are not closed and for which something is to be done some time. */
  due(): readonly string[]
  /** Ids of those for which something is to be done now. */
  overdue(accountId: string, wallMs: number): readonly string[]
  /** Ids of those whose last step has this message. */
  withText(accountId: string, messageId: string): readonly string[]
  /** Ids of those of all accounts that are not closed, or were closed after `since`. */
  lately(since: number): readonly string[]
  /** How many are not closed, by state. */
  counts(): ReadonlyMap<IncidentState, number>
  /** Writes what changed. `before`: as it is stored; null: it is new. Of closed ones the oldest go. */
  save(tx: Tx, incident: Incident, before: Incident | null): void
}
