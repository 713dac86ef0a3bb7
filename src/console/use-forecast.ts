import { useEffect } from 'preact/hooks'
import { placesIn, queueOf } from '#console/queue-places.ts'
import { useResource } from '#console/use-resource.ts'
import { isScheduled, whyWaits } from '#console/why-waits.ts'
import type { DeviceListItem } from '#contracts/device.ts'
import type { ForecastResource, MessageResource } from '#contracts/message.ts'

/** A text whose time is over is asked about this often. */
const AGAIN_MS = 5_000

type Text = Pick<MessageResource, 'messageId' | 'status' | 'sendAt' | 'deviceId'>

/** The forecasts of the texts of a list that wait for the same phone. Two are asked for; others follow. */
export function useQueuePlaces(
  texts: readonly MessageResource[],
  phones: readonly DeviceListItem[] | undefined,
): ReadonlyMap<string, ForecastResource> {
  const queue = queueOf(texts, Date.now())
  const newest = useForecast(queue[0], phones)
  const oldest = useForecast(queue.length > 1 ? queue.at(-1) : undefined, phones)
  return placesIn(queue, newest, oldest)
}

/**
 * When a waiting text leaves. It is asked for again when that time is over. Undefined: not known yet, or
 * there is nothing to tell, because it is scheduled or no phone can send it.
 */
export function useForecast(
  text: Text | undefined,
  phones: readonly DeviceListItem[] | undefined,
): ForecastResource | undefined {
  const isAsked =
    text?.status === 'queued' &&
    !isScheduled(text, Date.now()) &&
    phones !== undefined &&
    whyWaits(phones, text.deviceId) === null
  const path = isAsked ? `sms/${text.messageId}/forecast` : null
  const { data, reload } = useResource<ForecastResource>(path, ['message', 'device'])
  const leavesAt = data?.leavesAt ?? null
  useEffect(() => {
    if (path === null || leavesAt === null) return
    const timer = setInterval(() => {
      if (!document.hidden && Date.parse(leavesAt) < Date.now()) reload()
    }, AGAIN_MS)
    return () => clearInterval(timer)
  }, [path, leavesAt])
  return path === null ? undefined : data
}
