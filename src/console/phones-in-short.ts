import { canSend } from '#console/why-waits.ts'
import type { DeviceListItem } from '#contracts/device.ts'

export const PHONES_IN_SHORT_MAX = 6

/** The phones that Home shows. First come those that cannot send, then the busiest. */
export function phonesInShort<T extends Parameters<typeof canSend>[0] & Pick<DeviceListItem, 'smsToday'>>(
  devices: readonly T[],
): readonly T[] {
  const rank = (device: T) => (device.status === 'offline' ? 0 : canSend(device) ? 2 : 1)
  return [...devices]
    .sort((a, b) => rank(a) - rank(b) || b.smsToday - a.smsToday)
    .slice(0, PHONES_IN_SHORT_MAX)
}
