import { t } from '#console/language.ts'
import { PlotTable } from '#console/parts/plots.tsx'
import { StripKeys, StripOf, useHistory } from '#console/parts/strip.tsx'
import { daysOf, linePath, type PastValue, valuesOf, withoutBreaks } from '#console/phone-past.ts'
import { clockWords, momentWords, shortDayWords } from '#console/time-words.ts'
import type { DeviceListItem } from '#contracts/device.ts'
import type { PhoneHalfHour } from '#contracts/device-history.ts'

const DAYS = 7
const DAY_MS = 86_400_000
/** The battery of a phone that should be charged. */
const LOW_PERCENT = 20

/** The last day of a phone as a strip, and its battery and signal over a week. */
export function PhonePast({ phone }: { phone: DeviceListItem }) {
  const data = useHistory(phone.deviceId, DAYS)
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
      <StripOf rows={data} phone={phone} now={now} />
      <p class="strip-ends" aria-hidden="true">
        <span>{clockWords(now - DAY_MS)}</span>
        <span>{t('now')}</span>
      </p>
      <StripKeys />
      <div class="two">
        <Line
          title={t('Battery')}
          unit=" %"
          rows={data}
          level="battery"
          marks={[0, LOW_PERCENT, 100]}
          low={LOW_PERCENT}
          phone={phone}
          now={now}
        />
        <Line
          title={t('Signal')}
          unit=" dBm"
          rows={data}
          level="signal"
          marks={[-120, -90, -60]}
          phone={phone}
          now={now}
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
  readonly level: 'battery' | 'signal'
  /** The values that are written beside the plot: those of its lower edge, between, and of its upper edge. */
  readonly marks: readonly [bottom: number, between: number, top: number]
  /** Up to here a phone is in need. */
  readonly low?: number
  readonly phone: DeviceListItem
  readonly now: number
}

function Line({ title, unit, rows, level, marks, low, phone, now }: LineProps) {
  const past = valuesOf(level, rows, { phone, now })
  const latest = past.at(-1)
  if (latest === undefined) return null
  const known = past.map(({ value }) => value)
  const [bottom, , top] = marks
  const heightOf = (value: number) => (100 * (value - bottom)) / (top - bottom)
  const range = { title, days: DAYS, low: Math.min(...known), high: `${Math.max(...known)}${unit}` }
  const words = t('{title} in {days} days: between {low} and {high}', range)
  const from = now - DAYS * DAY_MS
  const path = linePath(past, { from, until: now, low: bottom, high: top })
  return (
    <figure>
      <figcaption>
        {title} <span class="dim">{latestWords({ ...latest, unit }, phone, now)}</span>
      </figcaption>
      <div class="axis">
        <span class="strip-ends" aria-hidden="true">
          {marks.map(mark => (
            <i key={mark} style={{ insetBlockEnd: `${heightOf(mark)}%` }}>{`${mark}${unit}`}</i>
          ))}
        </span>
        <svg class="plot" viewBox="0 0 1000 100" preserveAspectRatio="none" role="img" aria-label={words}>
          {low !== undefined && <path class="curve low" d={`M0 ${100 - heightOf(low)}H1000`} />}
          <path class="curve gap" d={withoutBreaks(path)} />
          <path class="curve" d={path} />
        </svg>
        <span class="strip-ends" aria-hidden="true">
          <span>{shortDayWords(new Date(from).toISOString())}</span>
          <span>{t('now')}</span>
        </span>
      </div>
    </figure>
  )
}

/** `64 % now`, `92 % when last seen`: the same value as everywhere, or from when it is. */
function latestWords({ at, value, unit }: PastValue & { unit: string }, phone: DeviceListItem, now: number) {
  const values = { value: `${Math.round(value)}${unit}`, time: momentWords(at) }
  if (at === now) return t('{value} now', values)
  return phone.status === 'offline' && at === Date.parse(phone.lastSeen)
    ? t('{value} when last seen', values)
    : t('{value} at {time}', values)
}

function PastTable({ rows, now }: { rows: readonly PhoneHalfHour[]; now: number }) {
  const heads = [t('Day'), t('Sent'), t('Failures'), t('Lowest battery'), t('Weakest signal')]
  return (
    <PlotTable heads={heads}>
      {daysOf(rows, now).map(({ day, sent, failed, battery, signal }) => (
        <tr key={day}>
          <th scope="row">{day}</th>
          <td>{sent}</td>
          <td>{failed}</td>
          <td>{battery === null ? '–' : `${battery} %`}</td>
          <td>{signal === null ? '–' : t('{signal} dBm', { signal })}</td>
        </tr>
      ))}
    </PlotTable>
  )
}
