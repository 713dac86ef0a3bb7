/** Plots as plain SVG, each with the same numbers as a table. */
import type { ComponentChildren } from 'preact'
import { language, t } from '#console/language.ts'
import { T } from '#console/parts/t.tsx'
import { dayWords, shortDayWords, startOf } from '#console/time-words.ts'
import type { DayUsage } from '#contracts/day-usage.ts'

const HEIGHT = 96
const STEP = 12

/** Texts per day, stacked by result. `save`: a button beside the table. */
export function DaysPlot({ days, save }: { days: readonly DayUsage[]; save: ComponentChildren }) {
  const totals = days.map(({ accepted }) => accepted)
  const top = Math.max(1, ...totals)
  const all = totals.reduce((sum, one) => sum + one, 0)
  const failed = days.reduce((sum, day) => sum + day.failed, 0)
  return (
    <figure>
      <figcaption>{t('Texts per day')}</figcaption>
      <p class="dim">
        {t('1 text in {days} days.|{count} texts in {days} days.', { count: all, days: days.length })}{' '}
        {failed === 0 ? t('None failed.') : t('{failed} of them failed.', { failed })}
      </p>
      <Frame days={days} top={language.number(top)}>
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
      <div class="row apart">
        <PlotTable heads={[t('Day'), t('Delivered'), t('Sent'), t('Failed')]}>
          {[...days].reverse().map(day => (
            <tr key={day.day}>
              <th scope="row">{shortDayWords(day.day)}</th>
              <td>{day.delivered}</td>
              <td>{day.sent}</td>
              <td>{day.failed}</td>
            </tr>
          ))}
        </PlotTable>
        {save}
      </div>
    </figure>
  )
}

/** The parts of the delivered texts of a day, the fastest first; each is a number of texts. */
function speedsOf({ delivered, deliveredWithin: { s5, s30, s300 } }: DayUsage) {
  return [
    ['good', s5],
    ['good-soft', s30 - s5],
    ['wait', s300 - s30],
    ['bad', Math.max(0, delivered - s300)],
  ] as const
}

/** How many texts of each day arrived within 5 s, 30 s and 5 min, as shares. */
export function DeliveryPlot({ days }: { days: readonly DayUsage[] }) {
  const known = days.filter(({ delivered }) => delivered > 0)
  const [last] = known.slice(-1)
  if (last === undefined) return null
  const all = known.reduce((sum, { delivered }) => sum + delivered, 0)
  const quick = known.reduce((sum, { deliveredWithin }) => sum + deliveredWithin.s30, 0)
  const { delivered, deliveredWithin } = last
  return (
    <figure>
      <figcaption>{t('Time to deliver')}</figcaption>
      <p class="dim">
        <T>
          {{ day: dayWords(startOf(last.day), Date.now()) }}:{' '}
          {{ share: shareWords(deliveredWithin.s5, delivered) }} of the texts arrived within 5 s,{' '}
          {{ share2: shareWords(deliveredWithin.s30, delivered) }} within 30 s.
        </T>
      </p>
      <Frame days={days} top="100 %">
        <svg
          class="plot"
          viewBox={`0 0 ${days.length * STEP} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={t('In {days} days {share} of the texts arrived within 30 s.', {
            days: days.length,
            share: shareWords(quick, all),
          })}
        >
          {days.map((day, index) => (
            <Bars key={day.day} index={index} bars={speedsOf(day)} top={Math.max(1, day.delivered)} />
          ))}
        </svg>
      </Frame>
      <p class="legend">
        <T>
          <span class="key fill-good" /> 5 s <span class="key fill-good-soft" /> 30 s{' '}
          <span class="key fill-wait" /> 5 min <span class="key fill-bad" /> later
        </T>
      </p>
      <PlotTable heads={[t('Day'), t('Within 5 s'), '30 s', '5 min', t('Delivered')]}>
        {[...known].reverse().map(({ day, delivered, deliveredWithin: { s5, s30, s300 } }) => (
          <tr key={day}>
            <th scope="row">{shortDayWords(day)}</th>
            <td>{shareWords(s5, delivered)}</td>
            <td>{shareWords(s30, delivered)}</td>
            <td>{shareWords(s300, delivered)}</td>
            <td>{delivered}</td>
          </tr>
        ))}
      </PlotTable>
    </figure>
  )
}

/** `83 %`; never rounded up to everything. */
function shareWords(part: number, whole: number): string {
  return `${Math.floor(Math.min(1, part / Math.max(1, whole)) * 100)}\u00a0%`
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
            x={index * STEP + 2}
            y={y}
            width={STEP - 4}
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

/** The numbers of a plot, folded. `heads`: the headings of the columns; the first one is of the rows. */
export function PlotTable({ heads, children }: { heads: readonly string[]; children: ComponentChildren }) {
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
