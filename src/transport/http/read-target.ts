/** The fields `deviceId` and `deviceGroupId` of requests, which are one id in commands. */
import { isDeviceGroup, type WithTarget } from '#contracts/device-group.ts'
import type { Validation } from '#transport/http/body.ts'

interface Target {
  readonly deviceId?: string | null | undefined
  readonly deviceGroupId?: string | null | undefined
}

/** Adds a fault if a body names both. */
export function checkTarget(validation: Validation, body: Target | undefined): void {
  if (body?.deviceId != null && body.deviceGroupId != null)
    validation.add('deviceGroupId', 'give either deviceId or deviceGroupId, not both')
}

/** The phone or group of phones that a request names; null: none. An id in the wrong field is unknown. */
export function targetOf(body: Target): string | null {
  const { deviceId = null, deviceGroupId = null } = body
  if (deviceGroupId !== null) return isDeviceGroup(deviceGroupId) ? deviceGroupId : `dgr_${deviceGroupId}`
  return deviceId !== null && isDeviceGroup(deviceId) ? `dev_${deviceId}` : deviceId
}

/** The fields of a new thing, with one id. */
export function withTarget<T extends Target>({ deviceId, deviceGroupId, ...fields }: T) {
  return { ...fields, deviceId: targetOf({ deviceId, deviceGroupId }) }
}

/**
 * A change with one id. A field that is null ends only a choice of its own kind: `deviceId: null` leaves a
 * group. `now`: the id before the change.
 */
export function changeWithTarget<T extends Target>(
  { deviceId, deviceGroupId, ...change }: T,
  now: string | null,
): Partial<WithTarget<T>> {
  const target = targetOf({ deviceId, deviceGroupId })
  const ended = now !== null && isDeviceGroup(now) ? deviceGroupId : deviceId
  const isChanged = target !== null || ended === null
  return { ...change, ...(isChanged && { deviceId: target }) } as Partial<WithTarget<T>>
}
