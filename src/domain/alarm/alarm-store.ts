import type { HealthCode, HealthSeverity } from '#contracts/health.ts'
import type { Tx } from '#domain/tx.ts'

/** A problem that the owner gets a text about. Times are wall clock. */
export interface Alarm {
  /** Empty: the alarm is about the whole gateway. */
  readonly accountId: string
  readonly code: HealthCode
  readonly subject: string | null
  readonly severity: HealthSeverity
  /** In English, for the log and events. */
  readonly message: string
  /** In the language of texts, for the owner's. */
  readonly said: string
  readonly since: number
  readonly raisedAt: number
  /** Null: the problem is present, or disappeared so recently that it may come back. */
  readonly clearedAt: number | null
  /** How often the problem came back within a day. */
  readonly returns: number
  /** What the last text reported: that the problem began, or that it is over. `nothing`: no text was sent. */
  readonly reported: 'nothing' | 'raised' | 'cleared'
}

/** What distinguishes the alarms of one owner. */
export function alarmKey({ code, subject }: Pick<Alarm, 'code' | 'subject'>): string {
  return `${code} ${subject ?? ''}`
}

/** Alarms in the database. `reported` is written in the same transaction as the texts. */
export interface AlarmStore {
  /** The alarms of an account, or of the gateway (empty id). */
  list(tx: Tx, accountId: string): readonly Alarm[]
  /** Alarms that still need a text, oldest first. */
  unreported(tx: Tx): readonly Alarm[]
  save(tx: Tx, alarm: Alarm): void
  remove(tx: Tx, alarm: Alarm): void
  /** How many texts about alarms were sent after `since` and until `until`. */
  countTexts(tx: Tx, between: { readonly since: number; readonly until: number }): number
  /** Records that a text about alarms was sent at this time. */
  noteText(tx: Tx, at: number): void
}
