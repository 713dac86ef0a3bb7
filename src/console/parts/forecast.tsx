import { t } from '#console/language.ts'
import { useNow } from '#console/parts/basics.tsx'
import { useResource } from '#console/use-resource.ts'
import { forecastWords } from '#console/why-waits.ts'
import type { ForecastResource } from '#contracts/message.ts'

/** When a queued text leaves, and what is before it. Draw it where a phone can send the text. */
export function Forecast({ path, phoneName }: { path: string; phoneName: string | null }) {
  const { data } = useResource<ForecastResource>(`${path}/forecast`, ['message'])
  const now = useNow()
  const words = data === undefined ? null : forecastWords(data, phoneName ?? t('its phone'), now)
  if (words === null) return null
  return (
    <div class="notice wait" role="status">
      <p>{words}</p>
    </div>
  )
}
