/** Plots as plain SVG, each with the same numbers as a table. */
export interface UsageDay {
  readonly day: string
  readonly accepted: number
  readonly delivered: number
  readonly sent: number
  readonly failed: number
  readonly received: number
  readonly deliveryMs: { readonly p50: number | null; readonly p95: number | null }
}

const HEIGHT = 96
const STEP = 12

/** Texts a day, stacked by what came of them. */
export function DaysPlot({ days }: { days: readonly UsageDay[] }) {
  const totals = days.map(({ delivered, sent, failed }) => delivered + sent + failed)
  const top = Math.max(1, ...totals)
  const all = totals.reduce((sum, one) => sum + one, 0)
  const failed = days.reduce((sum, day) => sum + day.failed, 0)
  return (
    <figure class="card">
      <figcaption>Texts a day</figcaption>
      <svg
        class="plot"
        viewBox={`0 0 ${days.length * STEP} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${all} texts in ${days.length} days, ${failed} of them failed; at most ${top} a day.`}
      >
        {days.map((day, index) => {
          const parts = [
            ['good', day.delivered],
            ['accent', day.sent],
            ['bad', day.failed],
          ] as const
          let y = HEIGHT
          return parts.map(([tone, count]) => {
            const height = (count / top) * HEIGHT
            y -= height
            return (
              <rect
                key={`${day.day} ${tone}`}
                class={`fill-${tone}`}
                x={index * STEP + 1}
                y={y}
                width={STEP - 2}
                height={height}
              />
            )
          })
        })}
      </svg>
      <p class="legend">
        <span class="key fill-good" /> delivered <span class="key fill-accent" /> sent{' '}
        <span class="key fill-bad" /> failed
      </p>
      <details>
        <summary>Show as table</summary>
        <div class="scroll">
          <table>
            <thead>
              <tr>
                <th scope="col">Day</th>
                <th scope="col">Delivered</th>
                <th scope="col">Sent</th>
                <th scope="col">Failed</th>
                <th scope="col">Time to deliver, half / nearly all</th>
              </tr>
            </thead>
            <tbody>
              {[...days].reverse().map(day => (
                <tr key={day.day}>
                  <th scope="row">{day.day}</th>
                  <td>{day.delivered}</td>
                  <td>{day.sent}</td>
                  <td>{day.failed}</td>
                  <td>
                    {seconds(day.deliveryMs.p50)} / {seconds(day.deliveryMs.p95)}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  )
}

function seconds(ms: number | null): string {
  return ms === null ? '–' : `${(ms / 1_000).toFixed(1)} s`
}
