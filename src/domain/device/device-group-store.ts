import type { DeviceGroup } from '#domain/device/phone-group.ts'
import type { Tx } from '#domain/tx.ts'

/** Groups of phones in the database. The writer keeps them in memory, too. */
export interface DeviceGroupStore {
  /** Inserts, or replaces the row with this id. */
  save(tx: Tx, group: DeviceGroup): void
  remove(tx: Tx, group: DeviceGroup): void
}
