/** Ties incidents to rings: both rooms need that of messages, so neither may need the other. */

import type { RingOutcome } from '#contracts/phone-orders.ts'
import { isRingOf, type Ring } from '#domain/device/ring.ts'
import { beginRing, hangUp, phonesThatRing, ringPhone, stopRing } from '#domain/ringing/ring-phone.ts'
import { changeIncident } from '#domain/sending/change-incident.ts'
import type { World } from '#domain/world.ts'

/** As long as a person needs to wake up, and shorter than most mailboxes wait. */
const RING_S = 25

/** Rings a person about an open incident. `ringId`: incident, person and number of the ring. */
export function ringPerson(world: World, ringId: string): void {
  const { incident, personId } = partsOf(world, ringId)
  const person = incident === undefined ? undefined : world.onCall.person.find(incident.accountId, personId)
  if (incident?.state !== 'open' || person === undefined) return
  const { accountId, phoneNumber } = person
  if (!ringPhone(world, { ringId, accountId, phoneNumber, seconds: RING_S }))
    onRingEnded(world, { ringId, outcome: 'failed' })
}

/** Stops all rings about an incident. */
export function hangUpIncident(world: World, incidentId: string): void {
  for (const { ringId } of world.fleet.rings) if (ringId.startsWith(incidentId)) stopRing(world, ringId)
}

/**
 * Ends a ring, and those that it leaves without a phone. Rings that wait for an incident that somebody has
 * taken meanwhile are forgotten, so that none of them begins.
 */
export function endRings(world: World, ringId: string): void {
  const { fleet } = world
  fleet.rings = fleet.rings.filter(
    ring => ring.at !== null || (partsOf(world, ring.ringId).incident?.state ?? 'open') === 'open',
  )
  for (const end of endRing(world, ringId)) {
    world.effects.push({ kind: 'log', level: 'info', event: 'ring.ended', fields: { ...end } })
    onRingEnded(world, end)
  }
}

function onRingEnded(world: World, { ringId, outcome }: RingEnd): void {
  const { incident, personId } = partsOf(world, ringId)
  if (incident !== undefined && incident.state !== 'closed')
    changeIncident(world, incident, { type: 'ring-ended', personId, outcome })
}

function partsOf({ incidents }: World, ringId: string) {
  const [incidentId = '', personId = ''] = ringId.split('/')
  return { incident: incidents.get(incidentId), personId }
}

interface RingEnd {
  readonly ringId: string
  readonly outcome: RingOutcome
}

/**
 * Ends a ring that the phone reported, whose time is over, or whose phone is gone. The next one of the
 * account then rings; if no phone can ring any more, all that wait have failed.
 *
 * @returns the rings that ended
 */
function endRing(world: World, ringId: string): readonly RingEnd[] {
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
