import type { DeviceListItem } from '#contracts/device.ts'

export const PHONES_IN_SHORT_MAX = 6

/** The phones that Home shows. First come those that cannot send, then the busiest. */
export function phonesInShort<T extends Pick<DeviceListItem, 'status' | 'paused' | 'smsToday'>>(
  devices: readonly T[],
): readonly T[] {
  const rank = ({ status, paused }: T) => (status === 'offline' ? 0 : paused ? 1 : 2)
  return [...devices]
    .sort((a, b) => rank(a) - rank(b) || b.smsToday - a.smsToday)
    .slice(0, PHONES_IN_SHORT_MAX)
}
