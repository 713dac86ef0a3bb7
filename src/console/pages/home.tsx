import { Fault, Loading, PageHead, When } from '#console/parts/basics.tsx'
import { DeviceLine } from '#console/parts/device-line.tsx'
import { FirstSteps } from '#console/parts/first-steps.tsx'
import { DaysPlot, DeliveryPlot } from '#console/parts/plots.tsx'
import { PHONES_IN_SHORT_MAX, phonesInShort } from '#console/phones-in-short.ts'
import { useResource } from '#console/use-resource.ts'
import { problemLink, summaryOf } from '#console/words.ts'
import type { DayUsage } from '#contracts/day-usage.ts'
import type { DeviceListItem } from '#contracts/device.ts'
import type { HealthProblem, StatusResource } from '#contracts/health.ts'

/** The start page: whether texts can be sent, the problems, the phones, and today's numbers. */
export function Home() {
  const devices = useResource<readonly DeviceListItem[]>('devices', ['device', 'message'])
  const status = useResource<StatusResource>('status', ['problem', 'device'])
  const days = useResource<readonly DayUsage[]>('usage/days?days=30', ['message'])
  if (devices.data === undefined)
    return (
      <>
        <PageHead title="Home" />
        {devices.isLoading ? <Loading /> : <Fault error={devices.error} retry={devices.reload} />}
      </>
    )
  const problems = status.data?.problems ?? []
  const today = days.data?.at(-1)
  return (
    <>
      <PageHead title="Home">
        <a class="button primary" href="#/messages/new">
          Write a text
        </a>
      </PageHead>
      <p role="status">
        <strong>{summaryOf(problems, devices.data)}</strong>
      </p>
      {problems.map(problem => (
        <ProblemNotice key={`${problem.code} ${problem.subject}`} problem={problem} />
      ))}
      <FirstSteps devices={devices.data.length} />
      {devices.data.length > 0 && (
        <section aria-labelledby="phones">
          <h2 id="phones">Phones</h2>
          <ul class="list">
            {phonesInShort(devices.data).map(device => (
              <DeviceLine key={device.deviceId} device={device} />
            ))}
          </ul>
          {devices.data.length > PHONES_IN_SHORT_MAX && (
            <p>
              <a href="#/devices">Show all {devices.data.length} phones</a>
            </p>
          )}
        </section>
      )}
      {today !== undefined && (
        <section aria-labelledby="today">
          <h2 id="today">Today</h2>
          <dl class="figures">
            {(['accepted', 'delivered', 'failed', 'received'] as const).map(name => (
              <div key={name}>
                <dt>{`${name.charAt(0).toUpperCase()}${name.slice(1)}`}</dt>
                <dd>{today[name]}</dd>
              </div>
            ))}
          </dl>
        </section>
      )}
      {days.data?.some(({ accepted }) => accepted > 0) && (
        <div class="grid">
          <DaysPlot days={days.data} />
          <DeliveryPlot days={days.data} />
        </div>
      )}
    </>
  )
}

function ProblemNotice({ problem }: { problem: HealthProblem }) {
  const { code, severity, since, message, fix, subject } = problem
  const link = problemLink(code, subject)
  return (
    <div class={`notice ${severity === 'critical' ? 'bad' : 'wait'}`}>
      <h2>{message}</h2>
      <p>
        {fix}{' '}
        <span class="dim">
          Since <When at={since} />.
        </span>
      </p>
      {link !== null && <a href={link.href}>{link.words}</a>}
    </div>
  )
}
