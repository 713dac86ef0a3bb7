import type { IncidentState } from '#contracts/incident.ts'
import type { Incident } from '#domain/incident/incident.ts'
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
  live(accountId: string): readonly Incident[]
}

/** Incidents in the database. Reads see the transaction's own writes. */
export interface IncidentStore extends IncidentRows {
  /** The incident with this id, of any account. */
  get(id: string): Incident | undefined
  /** Those that are not closed, or were closed after `since`. */
  recent(accountId: string, since: number): readonly Incident[]
  /** Those of all accounts that are not closed, or were closed after `since`. */
  all(since: number): readonly Incident[]
  /** How many are not closed, by state. */
  counts(): ReadonlyMap<IncidentState, number>
  /** Inserts, or replaces the row with this id. */
  save(tx: Tx, incident: Incident): void
}
