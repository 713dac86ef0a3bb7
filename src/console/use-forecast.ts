import { useEffect } from 'preact/hooks'
import { useResource } from '#console/use-resource.ts'
import { isScheduled, whyWaits } from '#console/why-waits.ts'
import type { DeviceListItem } from '#contracts/device.ts'
import type { ForecastResource, MessageResource } from '#contracts/message.ts'

/** A text whose time is over is asked about this often. */
const AGAIN_MS = 5_000

type Text = Pick<MessageResource, 'messageId' | 'status' | 'sendAt' | 'deviceId'>

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
