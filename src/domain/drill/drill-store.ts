import type { Drill } from '#domain/drill/drill.ts'
import type { Tx } from '#domain/tx.ts'

/** Drills in the database. */
export interface DrillStore {
  insert(tx: Tx, drill: Drill): void
  save(tx: Tx, drill: Drill): void
  find(id: string): Drill | undefined
  findByMessage(messageId: string): Drill | undefined
  /** Those with one of these codes, the newest first. */
  withCodes(accountId: string, codes: readonly string[]): readonly Drill[]
  /** Those that have not ended, of one account or of all. */
  open(accountId?: string): readonly Drill[]
  /** What followed the failure of a planned one. */
  series(firstId: string): readonly Drill[]
  /** The last ones of a phone that began or were skipped, newest first. */
  list(deviceId: string): readonly Drill[]
  /** Those of a phone that are planned for these local dates, both included. */
  planned(deviceId: string, days: { readonly from: number; readonly until: number }): readonly Drill[]
  /** When those by hand of a phone began since this time, oldest first. */
  byHand(deviceId: string, since: number): readonly number[]
  removeOf(tx: Tx, deviceId: string): void
}
