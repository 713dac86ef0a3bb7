import type { RingOutcome } from '#contracts/phone-orders.ts'
import { isRingOf, type Ring } from '#domain/device/ring.ts'
import { beginRing, hangUp, phonesThatRing } from '#domain/ringing/ring-phone.ts'
import type { World } from '#domain/world.ts'

export interface RingEnd {
  readonly ringId: string
  readonly outcome: RingOutcome
}

/**
 * Ends a ring that the phone reported, whose time is over, or whose phone is gone. The next one of the
 * account then rings; if no phone can ring any more, all that wait have failed.
 *
 * @returns the rings that ended
 */
export function endRing(world: World, ringId: string): readonly RingEnd[] {
  const { fleet, deadlines, now } = world
  const ring = fleet.rings.find(one => one.ringId === ringId)
  if (ring === undefined || ring.at === null) return []
  const { deviceId, endsAtMono } = ring.at
  const phone = fleet.phones.get(deviceId)
  const isLost = phone === undefined || !isRingOf(ring, phone)
  if (ring.outcome === null && !isLost && now.monoMs < endsAtMono) {
    deadlines.add(endsAtMono, 'ring', ringId)
    return []
  }
  if (ring.outcome === null) hangUp(world, ring)
  fleet.rings = fleet.rings.filter(one => one !== ring)
  return [{ ringId, outcome: ring.outcome ?? 'failed' }, ...ringNext(world, ring.accountId)]
}

/** Begins the rings of the account that wait, as far as phones are free. Returns those that have failed. */
function ringNext(world: World, accountId: string): readonly RingEnd[] {
  const { fleet } = world
  const failed: RingEnd[] = []
  const { free, count } = phonesThatRing(fleet, accountId)
  const [...idle] = free
  fleet.rings = fleet.rings.flatMap((ring): Ring[] => {
    if (ring.accountId !== accountId || ring.at !== null) return [ring]
    const phone = idle.shift()
    if (phone !== undefined) return [beginRing(world, ring, phone)]
    if (count > 0) return [ring]
    failed.push({ ringId: ring.ringId, outcome: 'failed' })
    return []
  })
  return failed
}
