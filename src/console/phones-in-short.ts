import { canSend } from '#console/why-waits.ts'
import type { DeviceListItem } from '#contracts/device.ts'

export const PHONES_IN_SHORT_MAX = 6

type Phone = Parameters<typeof canSend>[0] & Pick<DeviceListItem, 'smsToday'>

export interface PhonesInShort<T> {
  readonly shown: readonly T[]
  /** Those that share one node. */
  readonly offline: readonly T[]
  /** How many have no room, or are paused and off. */
  readonly others: number
}

/** The phones that Home draws: first those that send or have sent today, then others that are connected. */
export function phonesInShort<T extends Phone>(devices: readonly T[]): PhonesInShort<T> {
  const connected = devices
    .filter(({ status }) => status !== 'offline')
    .toSorted(
      (a, b) =>
        Number(b.status === 'busy') - Number(a.status === 'busy') ||
        b.smsToday - a.smsToday ||
        Number(canSend(b)) - Number(canSend(a)),
    )
  const gone = devices.filter(({ status }) => status === 'offline')
  // One that its owner paused is meant to be off.
  const offline = gone.filter(({ paused }) => !paused)
  const shown = connected.slice(0, PHONES_IN_SHORT_MAX)
  const others = devices.length - shown.length - offline.length
  // One that is alone has a name and a past to show.
  return offline.length === 1
    ? { shown: [...shown, ...offline], offline: [], others }
    : { shown, offline, others }
}
