import { type Figure, textFigures } from '#console/day-figures.ts'
import { language, t } from '#console/language.ts'
import { DaysPlot, DeliveryPlot } from '#console/parts/plots.tsx'
import { SaveTable } from '#console/parts/save-table.tsx'
import { linkTo } from '#console/route.ts'
import { spanWords } from '#console/time-words.ts'
import type { DayUsage } from '#contracts/day-usage.ts'

/** The counts of today, and of the days before. */
export function Today({ days }: { days: readonly DayUsage[] }) {
  const today = days.at(-1)
  if (today === undefined || days.every(({ accepted, received }) => accepted + received === 0)) return null
  const { received, deliveryMs } = today
  const figures: readonly Figure[] = [
    ...textFigures(today),
    [t('received'), received, linkTo('texts', { cut: 'received' }), ''],
  ]
  return (
    <section aria-labelledby="today">
      <h2 id="today">{t('Today')}</h2>
      <ul class="counts">
        {figures.map(([word, count, href, tone]) => (
          <li key={word}>
            <a href={href}>
              <strong class={tone}>{language.number(count)}</strong>
              <span>{word}</span>
            </a>
          </li>
        ))}
        {deliveryMs.p50 !== null && (
          <li>
            <strong>{spanWords(Math.max(1_000, deliveryMs.p50))}</strong>
            <span>{t('half arrive within')}</span>
          </li>
        )}
      </ul>
      {days.some(({ accepted }) => accepted > 0) && (
        <div class="two">
          <DaysPlot days={days} save={<SaveTable path="usage/days.csv?days=366" file="days.csv" />} />
          <DeliveryPlot days={days} />
        </div>
      )}
    </section>
  )
}
