/** Ties incidents to rings: both rooms need that of messages, so neither may need the other. */
import { endRing, type RingEnd } from '#domain/ringing/end-ring.ts'
import { ringPhone, stopRing } from '#domain/ringing/ring-phone.ts'
import { changeIncident } from '#domain/sending/change-incident.ts'
import type { World } from '#domain/world.ts'

/** As long as a person needs to wake up, and shorter than most mailboxes wait. */
const RING_S = 25

/** Rings a person about an open incident. `ringId`: incident, person and number of the ring. */
export function ringPerson(world: World, ringId: string): void {
  const { incident, personId } = partsOf(world, ringId)
  const person = incident === undefined ? undefined : world.onCall.person(incident.accountId, personId)
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
