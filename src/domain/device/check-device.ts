import { isDeviceGroup } from '#contracts/device-group.ts'
import { notFound } from '#domain/problem.ts'
import type { World } from '#domain/world.ts'

/** @throws Problem NOT_FOUND if the phone, or the group of phones, does not belong to the account */
export function checkDevice(
  { fleet }: Pick<World, 'fleet'>,
  accountId: string,
  deviceId: string | null,
): void {
  if (deviceId === null || fleet.phoneOf(accountId, deviceId) !== undefined) return
  if (fleet.groupOf(accountId, deviceId) !== undefined) return
  throw notFound(isDeviceGroup(deviceId) ? 'group of phones' : 'device')
}
