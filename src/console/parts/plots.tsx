/** Plots as plain SVG, each with the same numbers as a table. */
import type { ComponentChildren } from 'preact'
import { t } from '#console/language.ts'
import { T } from '#console/parts/t.tsx'
import { dayWords, shortDayWords, spanWords } from '#console/time-words.ts'
import type { DayUsage } from '#contracts/day-usage.ts'

const HEIGHT = 96
const STEP = 12

/** Texts per day, stacked by result. */
export function DaysPlot({ days }: { days: readonly DayUsage[] }) {
  const totals = days.map(({ delivered, sent, failed }) => delivered + sent + failed)
  const top = Math.max(1, ...totals)
  const all = totals.reduce((sum, one) => sum + one, 0)
  const failed = days.reduce((sum, day) => sum + day.failed, 0)
  return (
    <figure class="card">
      <figcaption>{t('Texts per day')}</figcaption>
      <p class="dim">
        {t('1 text in {days} days.|{count} texts in {days} days.', { count: all, days: days.length })}{' '}
        {failed === 0 ? t('None failed.') : t('{failed} of them failed.', { failed })}
      </p>
      <Frame days={days} top={`${top}`}>
        <svg
          class="plot"
          viewBox={`0 0 ${days.length * STEP} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={t('{all} texts in {days} days, {failed} of them failed; at most {top} a day.', {
            all,
            days: days.length,
            failed,
            top,
          })}
        >
          {days.map((day, index) => {
            const bars = [
              ['good', day.delivered],
              ['accent', day.sent],
              ['bad', day.failed],
            ] as const
            return <Bars key={day.day} index={index} bars={bars} top={top} />
          })}
        </svg>
      </Frame>
      <p class="legend">
        <T>
          <span class="key fill-good" /> delivered <span class="key fill-accent" /> sent{' '}
          <span class="key fill-bad" /> failed
        </T>
      </p>
      <Table heads={[t('Day'), t('Delivered'), t('Sent'), t('Failed')]}>
        {[...days].reverse().map(day => (
          <tr key={day.day}>
            <th scope="row">{shortDayWords(day.day)}</th>
            <td>{day.delivered}</td>
            <td>{day.sent}</td>
            <td>{day.failed}</td>
          </tr>
        ))}
      </Table>
    </figure>
  )
}

/** The time to deliver for each day: the median and the 95th percentile. */
export function DeliveryPlot({ days }: { days: readonly DayUsage[] }) {
  const known = days.filter(({ deliveryMs }) => deliveryMs.p50 !== null)
  const [last] = known.slice(-1)
  if (last === undefined) return null
  const top = Math.max(...known.map(({ deliveryMs }) => deliveryMs.p95 ?? 0))
  const { p50, p95 } = last.deliveryMs
  return (
    <figure class="card">
      <figcaption>{t('Time to deliver')}</figcaption>
      <p class="dim">
        <T>
          {{ day: dayWords(Date.parse(last.day), Date.now()) }}: half of the texts within{' '}
          {{ time: timeWords(p50) }}, 95 of 100 within {{ time2: timeWords(p95) }}.
        </T>
      </p>
      <Frame days={days} top={timeWords(top)}>
        <svg
          class="plot"
          viewBox={`0 0 ${days.length * STEP} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={t('In {days} days 95 of 100 texts took {time} at most.', {
            days: days.length,
            time: timeWords(top),
          })}
        >
          {days.map(({ day, deliveryMs }, index) => {
            const half = deliveryMs.p50 ?? 0
            const bars = [
              ['accent', half],
              ['soft', (deliveryMs.p95 ?? half) - half],
            ] as const
            return <Bars key={day} index={index} bars={bars} top={Math.max(1, top)} />
          })}
        </svg>
      </Frame>
      <p class="legend">
        <T>
          <span class="key fill-accent" /> half of the texts <span class="key fill-soft" /> 95 of 100
        </T>
      </p>
      <Table heads={[t('Day'), t('Half of the texts'), t('95 of 100')]}>
        {[...known].reverse().map(({ day, deliveryMs }) => (
          <tr key={day}>
            <th scope="row">{shortDayWords(day)}</th>
            <td>{timeWords(deliveryMs.p50)}</td>
            <td>{timeWords(deliveryMs.p95)}</td>
          </tr>
        ))}
      </Table>
    </figure>
  )
}

interface BarsProps {
  readonly index: number
  /** The parts of the stack, from the bottom up. */
  readonly bars: readonly (readonly [tone: string, value: number])[]
  /** The value at the upper edge of the plot. */
  readonly top: number
}

/** The stacked bars of one day. */
function Bars({ index, bars, top }: BarsProps) {
  let y = HEIGHT
  return (
    <>
      {bars.map(([tone, value]) => {
        const height = (value / top) * HEIGHT
        y -= height
        return (
          <rect
            key={tone}
            class={`fill-${tone}`}
            x={index * STEP + 1}
            y={y}
            width={STEP - 2}
            height={height}
          />
        )
      })}
    </>
  )
}

interface FrameProps {
  readonly days: readonly DayUsage[]
  /** The label of the upper edge. */
  readonly top: string
  readonly children: ComponentChildren
}

/** The labels at the edges of a plot. Screen readers read the `aria-label` of the plot instead. */
function Frame({ days, top, children }: FrameProps) {
  return (
    <div class="plot-frame">
      <span aria-hidden="true">{top}</span>
      {children}
      <span aria-hidden="true">
        <span>{shortDayWords(days[0]?.day ?? '')}</span>
        <span>{t('today')}</span>
      </span>
    </div>
  )
}

function Table({ heads, children }: { heads: readonly string[]; children: ComponentChildren }) {
  return (
    <details>
      <summary>{t('Show as table')}</summary>
      <div class="scroll">
        <table>
          <thead>
            <tr>
              {heads.map(head => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>{children}</tbody>
        </table>
      </div>
    </details>
  )
}

function timeWords(ms: number | null): string {
  return ms === null ? t('unknown') : spanWords(Math.max(ms, 1_000))
}
