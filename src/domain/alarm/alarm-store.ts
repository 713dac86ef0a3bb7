import type { HealthCode, HealthSeverity } from '#contracts/health.ts'
import type { Tx } from '#domain/tx.ts'

/** A problem that the owner is told of. Times are wall clock. */
export interface Alarm {
  /** Empty: of the gateway as a whole. */
  readonly accountId: string
  readonly code: HealthCode
  readonly subject: string | null
  readonly severity: HealthSeverity
  readonly message: string
  readonly since: number
  readonly raisedAt: number
  /** Null: the problem is there, or has only just gone. */
  readonly clearedAt: number | null
  /** How often it came back within a day. */
  readonly returns: number
  /** What texts told: nothing yet, that it is there, that it is over. */
  readonly told: 'nothing' | 'raised' | 'cleared'
}

/** Alarms on disk: what was told of them is written in the transaction that makes the texts. */
export interface AlarmStore {
  /** Of an account, or of the gateway (empty). */
  list(tx: Tx, accountId: string): readonly Alarm[]
  /** Those of which a text is still to be sent, oldest first. */
  untold(tx: Tx): readonly Alarm[]
  save(tx: Tx, alarm: Alarm): void
  remove(tx: Tx, alarm: Alarm): void
  /** Texts about alarms between these times. */
  countTexts(tx: Tx, between: { readonly since: number; readonly until: number }): number
  noteText(tx: Tx, at: number): void
}
