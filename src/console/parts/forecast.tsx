import { t } from '#console/language.ts'
import { useNow } from '#console/parts/basics.tsx'
import { useResource } from '#console/use-resource.ts'
import { forecastWords } from '#console/why-waits.ts'
import type { ForecastResource } from '#contracts/message.ts'

interface ForecastProps {
  readonly path: string
  readonly why: string
  readonly phoneName: string | null
}

/** Why a text waits that a phone can send, when it leaves, and what is before it. */
export function Forecast({ path, why, phoneName }: ForecastProps) {
  const { data } = useResource<ForecastResource>(`${path}/forecast`, ['message'])
  const now = useNow()
  const words = data === undefined ? null : forecastWords(data, phoneName ?? t('its phone'), now)
  if (words === null) return null
  return (
    <div class="notice wait" role="status">
      <p>
        {data?.waitsFor !== 'phone' && <strong>{t('The text waits: {why}.', { why })}</strong>} {words}
      </p>
    </div>
  )
}
