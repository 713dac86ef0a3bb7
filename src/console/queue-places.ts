/** The places of the texts of a list in the queue of a phone, from two forecasts instead of one for each. */
import { isInQueue } from '#console/why-waits.ts'
import type { ForecastResource, MessageResource } from '#contracts/message.ts'

type Text = Pick<MessageResource, 'messageId' | 'status' | 'deviceId' | 'timeline' | 'sendAt'>

/** The texts that wait in the queue of the phone that sends the newest of them, the newest first. */
export function queueOf<T extends Text>(texts: readonly T[], now: number): readonly T[] {
  const waiting = texts.filter(text => isInQueue(text, now))
  return waiting.filter(({ deviceId }) => deviceId === waiting[0]?.deviceId)
}

/**
 * The forecasts of the texts of a queue. Those between the first and the last are known if the two forecasts
 * are as far apart as the texts in the list; otherwise others are between them, which the list does not have.
 */
export function placesIn(
  queue: readonly Text[],
  newest: ForecastResource | undefined,
  oldest: ForecastResource | undefined,
): ReadonlyMap<string, ForecastResource> {
  const places = new Map<string, ForecastResource>()
  const last = queue.length - 1
  const isWhole = newest !== undefined && oldest !== undefined && newest.before - oldest.before === last
  for (const [index, { messageId }] of queue.entries()) {
    const known = index === 0 ? newest : index === last ? oldest : undefined
    if (known !== undefined) places.set(messageId, known)
    else if (isWhole) places.set(messageId, between(newest, oldest, index / last))
  }
  return places
}

function between(newest: ForecastResource, oldest: ForecastResource, share: number): ForecastResource {
  const before = Math.round(newest.before - (newest.before - oldest.before) * share)
  if (newest.leavesAt === null || oldest.leavesAt === null) return { ...newest, before, leavesAt: null }
  const [latest, first] = [Date.parse(newest.leavesAt), Date.parse(oldest.leavesAt)]
  return { ...newest, before, leavesAt: new Date(latest - (latest - first) * share).toISOString() }
}
