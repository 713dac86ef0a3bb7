import { t } from '#console/language.ts'
import { StripOf } from '#console/parts/strip.tsx'
import { daysOf, linePath } from '#console/phone-past.ts'
import { clockWords, shortDayWords } from '#console/time-words.ts'
import { useResource } from '#console/use-resource.ts'
import type { DeviceListItem } from '#contracts/device.ts'
import type { PhoneHalfHour } from '#contracts/device-history.ts'

const DAYS = 7
const DAY_MS = 86_400_000

/** What the colours of a strip mean. */
const KEYS = [
  ['good', t('online')],
  ['bad', t('failures')],
  ['wait', t('away for minutes')],
  ['off', t('offline')],
] as const

/** The last day of a phone as a strip, and its battery and signal over a week. */
export function PhonePast({ phone }: { phone: DeviceListItem }) {
  const { deviceId } = phone
  const isOffline = phone.status === 'offline'
  const { data } = useResource<readonly PhoneHalfHour[]>(`devices/${deviceId}/history?days=${DAYS}`, [])
  const now = Date.now()
  if (data === undefined) return null
  if (data.length === 0)
    return (
      <p class="hint">
        {t('Its battery, its signal and its failures are drawn here from the first half-hour on.')}
      </p>
    )
  return (
    <section aria-labelledby="past">
      <h2 id="past">{t('Last 24 hours')}</h2>
      <StripOf rows={data} now={now} />
      <p class="strip-ends" aria-hidden="true">
        <span>{clockWords(now - DAY_MS)}</span>
        <span>{t('now')}</span>
      </p>
      <p class="strip-keys" aria-hidden="true">
        {KEYS.map(([kind, word]) => (
          <span key={kind} class="whole">
            <span class={`key cell-${kind}`} /> {word}
          </span>
        ))}
      </p>
      <div class="two">
        <Line
          title={t('Battery')}
          unit=" %"
          rows={data}
          read={row => row.battery}
          edges={[0, 100]}
          last={phone.battery}
          now={now}
          isOffline={isOffline}
        />
        <Line
          title={t('Signal')}
          unit=" dBm"
          rows={data}
          read={row => row.signal}
          edges={[-120, -60]}
          last={phone.signal}
          now={now}
          isOffline={isOffline}
        />
      </div>
      <PastTable rows={data} now={now} />
    </section>
  )
}

interface LineProps {
  readonly title: string
  readonly unit: string
  readonly rows: readonly PhoneHalfHour[]
  readonly read: (row: PhoneHalfHour) => number | null
  /** The values at the lower and the upper edge. */
  readonly edges: readonly [low: number, high: number]
  /** What the phone reported last; null: nothing since it was connected. */
  readonly last: number | null
  readonly now: number
  readonly isOffline: boolean
}

function Line({ title, unit, rows, read, edges: [low, high], last, now, isOffline }: LineProps) {
  const known = rows.map(read).filter(value => value !== null)
  if (known.length === 0) return null
  const range = { title, days: DAYS, low: Math.min(...known), high: `${Math.max(...known)}${unit}` }
  const latest = { value: `${Math.round(last ?? known.at(-1) ?? 0)}${unit}` }
  const words = t('{title} in {days} days: between {low} and {high}', range)
  const from = now - DAYS * DAY_MS
  return (
    <figure>
      <figcaption>
        {title}{' '}
        <span class="dim">{isOffline ? t('{value} when last seen', latest) : t('{value} now', latest)}</span>
      </figcaption>
      <div class="plot-frame">
        <span aria-hidden="true">{`${low} … ${high}${unit}`}</span>
        <svg class="plot" viewBox="0 0 1000 100" preserveAspectRatio="none" role="img" aria-label={words}>
          <path class="curve" d={linePath(rows, read, { from, until: now, low, high })} />
        </svg>
        <span aria-hidden="true">
          <span>{shortDayWords(new Date(from).toISOString())}</span>
          <span>{t('now')}</span>
        </span>
      </div>
    </figure>
  )
}

function PastTable({ rows, now }: { rows: readonly PhoneHalfHour[]; now: number }) {
  return (
    <details>
      <summary>{t('Show as table')}</summary>
      <div class="scroll">
        <table>
          <thead>
            <tr>
              <th scope="col">{t('Day')}</th>
              <th scope="col">{t('Sent')}</th>
              <th scope="col">{t('Failures')}</th>
              <th scope="col">{t('Lowest battery')}</th>
              <th scope="col">{t('Weakest signal')}</th>
            </tr>
          </thead>
          <tbody>
            {daysOf(rows, now).map(({ day, sent, failed, battery, signal }) => (
              <tr key={day}>
                <th scope="row">{day}</th>
                <td>{sent}</td>
                <td>{failed}</td>
                <td>{battery === null ? '–' : `${battery} %`}</td>
                <td>{signal === null ? '–' : t('{signal} dBm', { signal })}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  )
}
