import type { RingOrder } from '#contracts/phone-orders.ts'
import type { Phone } from '#domain/device/phone.ts'
import { isRingOf, type Ring } from '#domain/device/ring.ts'
import type { Fleet } from '#domain/fleet.ts'
import { sendOrder } from '#domain/sending/send-order.ts'
import type { World } from '#domain/world.ts'

/** Time for dialling and for the phone's answer, besides the seconds that it rings. */
const RING_OVERHEAD_MS = 30_000
/** Rings of an account that wait for a phone: those of two incidents. Later ones would come too late. */
export const RINGS_WAITING_MAX = 20

/** What `ringPhone` can tell about the phones of an account. */
export interface PhonesThatRing {
  /** Phones that could ring somebody now, the best first. */
  readonly free: readonly Phone[]
  readonly count: number
}

/**
 * Lets a phone of the account ring a person. A phone rings one person at a time, so the ring may wait for its
 * turn. Its end comes once, from `endRing`, unless the gateway restarts or `stopRing` takes back its turn.
 *
 * @returns false: no phone that calls is connected, or too many rings wait; nobody rings
 */
export function ringPhone(
  world: World,
  { accountId, ...order }: RingOrder & { readonly accountId: string },
): boolean {
  const { fleet } = world
  const { free, count } = phonesThatRing(fleet, accountId)
  const waiting = fleet.rings.filter(ring => ring.accountId === accountId && ring.at === null).length
  if (count === 0 || waiting >= RINGS_WAITING_MAX) return false
  const ring = { ...order, accountId, at: null, outcome: null }
  const [phone] = free
  fleet.rings = [...fleet.rings, phone === undefined ? ring : beginRing(world, ring, phone)]
  return true
}

/** Ends a ring early. The phone that rings hangs up and reports; a ring that waits is forgotten. */
export function stopRing(world: World, ringId: string): void {
  const { fleet } = world
  const ring = fleet.rings.find(one => one.ringId === ringId)
  if (ring === undefined) return
  if (ring.at === null) fleet.rings = fleet.rings.filter(one => one !== ring)
  else hangUp(world, ring)
}

/** Tells the phone of the ring to hang up, if it is still connected. */
export function hangUp(world: World, ring: Ring): void {
  const phone = world.fleet.phones.get(ring.at?.deviceId ?? '')
  if (phone !== undefined && isRingOf(ring, phone))
    sendOrder(world, phone, { type: 'stop-ring', ringId: ring.ringId })
}

export function phonesThatRing(fleet: Fleet, accountId: string): PhonesThatRing {
  const phones = [...fleet.phonesOf(accountId)].filter(phone => phone.canRing)
  const free = phones
    .filter(phone => !fleet.rings.some(ring => isRingOf(ring, phone)))
    // A phone that cannot send a text may still be able to call.
    .sort((a, b) => Number(a.trouble !== null) - Number(b.trouble !== null))
  return { free, count: phones.length }
}

/** Sends the order to the phone. Returns the ring as it is from now on. */
export function beginRing(world: World, ring: Ring, phone: Phone): Ring {
  const { ringId, phoneNumber, seconds } = ring
  const endsAtMono = world.now.monoMs + seconds * 1000 + RING_OVERHEAD_MS
  sendOrder(world, phone, { type: 'ring', ringId, phoneNumber, seconds })
  world.deadlines.add(endsAtMono, 'ring', ringId)
  return { ...ring, at: { deviceId: phone.id, session: phone.session?.id ?? '', endsAtMono } }
}
