import type { Phone } from '#domain/device/phone.ts'
import { type Proof, proofOf } from '#domain/drill/drill.ts'
import { judgeDrills } from '#domain/drill/judge-drills.ts'
import { releaseQueue } from '#domain/sending/offer-messages.ts'
import { MINUTE_MS } from '#domain/time.ts'
import type { World } from '#domain/world.ts'

/** The verdict waits so long for texts of the third phone that are still under way. */
const VERDICT_WAIT_MS = 2 * MINUTE_MS

/** Says what is broken, once the repeat and what went crosswise have ended. `isLast`: waits no longer. */
export function judgeChain(
  world: World,
  phone: Phone,
  { firstId, isLast }: { readonly firstId: string; readonly isLast: boolean },
): void {
  const series = world.drills.series(firstId)
  const repeat = series.find(({ role }) => role === 'repeat')
  if (repeat === undefined || repeat.outcome === null) return
  const isOpen = series.some(({ outcome }) => outcome === null)
  if (isOpen && !isLast) return world.deadlines.add(world.now.monoMs + VERDICT_WAIT_MS, 'drill', repeat.id)
  const sender = world.fleet.phones.get(repeat.deviceId) ?? phone
  const half = judgeDrills(series)
  // What waited for the last one to end need wait no longer: it was judged then.
  if (half === null || isOpen !== isLast) return
  if (half !== 'sending' && !world.fleet.phones.has(repeat.toDeviceId ?? '')) return
  const since = proofOf(sender.device).broken?.since ?? repeat.at
  const otherId = repeat.toDeviceId
  const other = world.fleet.phones.get(otherId ?? '')?.device.name ?? ''
  saveProof(world, sender, { broken: { half, since, other, otherId } })
  if (half === 'sending') releaseQueue(world, sender.id)
}

export function saveProof(world: World, phone: Phone, change: Partial<Proof>): void {
  phone.device = { ...phone.device, proof: { ...proofOf(phone.device), ...change } }
  world.devices.save(world.tx, phone.device)
}

/** Forgets what is known to be broken between other phones and one that is removed. */
export function clearBrokenWith(world: World, removed: Phone): void {
  for (const phone of world.fleet.phonesOf(removed.device.accountId)) {
    const { broken } = proofOf(phone.device)
    if (broken?.otherId === removed.id && broken.half !== 'sending') saveProof(world, phone, { broken: null })
  }
}
