import type { DatabaseSync } from 'node:sqlite'
import type { DeviceGroupStore } from '#domain/device/device-group-store.ts'
import type { DeviceGroup } from '#domain/device/phone-group.ts'
import { writeJsonTable } from '#storage/json-table.ts'

/** Groups of phones in the database, for the writer. */
export function openDeviceGroupStore(database: DatabaseSync): DeviceGroupStore {
  const groups = writeJsonTable<DeviceGroup>(database, 'device_group')
  return {
    save: (_tx, group) => groups.save(group),
    remove: (_tx, group) => groups.remove(group),
  }
}
