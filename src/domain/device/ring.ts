import type { RingOrder, RingOutcome } from '#contracts/phone-orders.ts'
import type { Deadlines } from '#domain/deadlines.ts'
import type { Phone } from '#domain/device/phone.ts'
import type { Now } from '#domain/time.ts'

/** A call that only rings. Memory alone knows it: after a restart its end is not told. */
export interface Ring extends RingOrder {
  readonly accountId: string
  /** The phone that calls, its session, and when the ring counts as failed. Null: it waits for a phone. */
  readonly at: { readonly deviceId: string; readonly session: string; readonly endsAtMono: number } | null
  /** What the phone reported. Null: nothing yet. */
  readonly outcome: RingOutcome | null
}

interface RingMemory {
  readonly fleet: { rings: readonly Ring[] }
  readonly deadlines: Deadlines
  readonly now: Now
}

/** Records how a ring ended. Only the session that was told to ring can say it, and only once. */
export function noteRang(
  { fleet, deadlines, now }: RingMemory,
  phone: Phone,
  { ringId, outcome }: { readonly ringId: string; readonly outcome: RingOutcome },
): void {
  const ring = fleet.rings.find(one => one.ringId === ringId)
  if (ring === undefined || ring.outcome !== null || !isRingOf(ring, phone)) return
  fleet.rings = fleet.rings.map(one => (one === ring ? { ...ring, outcome } : one))
  deadlines.add(now.monoMs, 'ring', ringId)
}

/** Call it when the phone's session ended: its ring has failed. */
export function loseRings({ fleet, deadlines, now }: RingMemory, { id }: Phone): void {
  for (const { ringId, at } of fleet.rings) if (at?.deviceId === id) deadlines.add(now.monoMs, 'ring', ringId)
}

/** Whether the phone rings, in the session that it has now. */
export function isRingOf({ at }: Ring, { id, session }: Phone): boolean {
  return at !== null && at.deviceId === id && at.session === session?.id
}
