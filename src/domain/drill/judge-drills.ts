import type { Broken, Drill } from '#domain/drill/drill.ts'

type Judged = Pick<Drill, 'outcome' | 'role' | 'deviceId' | 'toDeviceId'>

const isFailure = ({ outcome }: Judged) =>
  outcome === 'not_sent' || outcome === 'sent_not_received' || outcome === 'late'

/**
 * What is known once the repeat of a failed drill has ended. A third phone tells which half is broken: what
 * it got from the one, and what the other got from it. Null: the chain is not known to be broken.
 */
export function judgeDrills(series: readonly Judged[]): Broken['half'] | null {
  const repeat = series.find(({ role }) => role === 'repeat')
  if (repeat === undefined || !isFailure(repeat)) return null
  const isProven = (wanted: Drill['role']) =>
    series.some(({ role, outcome }) => role === wanted && outcome === 'proven')
  const [sends, receives] = [isProven('out'), isProven('in')]
  if (sends) return receives || repeat.outcome === 'not_sent' ? 'either' : 'receiving'
  if (receives || repeat.outcome === 'not_sent') return 'sending'
  return repeat.deviceId === repeat.toDeviceId ? 'own' : 'either'
}
