import type { Move } from '#domain/clock/believed-clock.ts'
import { proofOf } from '#domain/drill/drill.ts'
import type { World } from '#domain/world.ts'

/** Corrects the times that phones have of drills, and looks at their plans again: the clock has changed. */
export function followClock({ fleet, devices, deadlines, tx, now }: World, { from, ms }: Move): void {
  const by = (at: number) => (at >= from ? at + ms : at)
  const byOrNull = (at: number | null) => (at === null ? null : by(at))
  for (const phone of fleet.phones.values()) {
    const { drill, proof } = phone.device
    if (drill !== null) deadlines.add(now.monoMs, 'drill-plan', phone.id)
    if (ms === 0 || (drill === null && proof === null)) continue
    const { sends, receives, broken, ...rest } = proofOf(phone.device)
    phone.device = {
      ...phone.device,
      drill: drill && { ...drill, madeAt: by(drill.madeAt) },
      proof: {
        ...rest,
        sends: byOrNull(sends),
        receives: byOrNull(receives),
        broken: broken && { ...broken, since: by(broken.since) },
      },
    }
    devices.save(tx, phone.device)
  }
}
