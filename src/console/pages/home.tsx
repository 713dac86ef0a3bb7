import { Fault, Loading, NewTab, PageHead, When } from '#console/parts/basics.tsx'
import { DeviceLine } from '#console/parts/device-line.tsx'
import { FirstSteps, useFirstSteps } from '#console/parts/first-steps.tsx'
import { DaysPlot, DeliveryPlot } from '#console/parts/plots.tsx'
import { PHONES_IN_SHORT_MAX, phonesInShort } from '#console/phones-in-short.ts'
import { linkTo } from '#console/route.ts'
import { may } from '#console/session.ts'
import { dayStartWords } from '#console/time-words.ts'
import { useResource } from '#console/use-resource.ts'
import { strandedWords } from '#console/why-waits.ts'
import { gatewaySummary, problemLink } from '#console/words.ts'
import type { DayUsage } from '#contracts/day-usage.ts'
import type { DeviceListItem } from '#contracts/device.ts'
import { handbookOfProblem } from '#contracts/handbook.ts'
import type { HealthProblem, StatusResource } from '#contracts/health.ts'
import type { MessageResource } from '#contracts/message.ts'

/** The start page: whether texts can be sent, the problems, the phones, and today's numbers. */
export function HomePage() {
  const devices = useResource<readonly DeviceListItem[]>('devices', ['device', 'message'])
  const status = useResource<StatusResource>('status', ['problem', 'device'])
  const days = useResource<readonly DayUsage[]>('usage/days?days=30', ['message'])
  const steps = useFirstSteps(devices.data)
  if (devices.data === undefined)
    return (
      <>
        <PageHead title="Home" />
        {devices.isLoading ? <Loading /> : <Fault error={devices.error} retry={devices.reload} />}
      </>
    )
  const problems = status.data?.problems ?? []
  const today = days.data?.at(-1)
  const wasUsed = days.data?.some(({ accepted, received }) => accepted + received > 0)
  return (
    <>
      <PageHead title="Home">
        <a class={`button ${steps?.isAsking === true ? '' : 'primary'}`} href="#/messages/new">
          Write a text
        </a>
      </PageHead>
      <Fault error={status.error} retry={status.reload} />
      <Fault error={days.error} retry={days.reload} />
      {status.data !== undefined && days.data !== undefined && (
        <p role="status">
          <strong>
            {gatewaySummary(problems, devices.data, (today?.sent ?? 0) + (today?.delivered ?? 0))}
          </strong>
        </p>
      )}
      {problems.map(problem => (
        <ProblemNotice key={`${problem.code} ${problem.subject}`} problem={problem} />
      ))}
      {devices.data.length === 0 && <Stranded />}
      {steps !== null && may('owner') && <FirstSteps state={steps} />}
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
      {today !== undefined && wasUsed && <Today day={today} />}
      {days.data?.some(({ accepted }) => accepted > 0) && (
        <div class="grid">
          <DaysPlot days={days.data} />
          <DeliveryPlot days={days.data} />
        </div>
      )}
    </>
  )
}

/** The texts that wait while there is no phone. */
function Stranded() {
  const { data, nextCursor } = useResource<readonly MessageResource[]>('sms?status=queued&limit=50', [
    'message',
  ])
  if (data === undefined || data.length === 0) return null
  return (
    <div class="notice bad">
      <h2>{strandedWords(data.length, nextCursor !== null)}</h2>
      <p>Add a phone to send what waits. A text is given up when its time is over.</p>
      <p class="row">
        <a href="#/devices/pair">Add a phone</a>
        <a href={linkTo('messages', { status: 'queued' })}>Show what waits</a>
      </p>
    </div>
  )
}

/** The counts of the day. Waiting, sent, delivered and failed add up to accepted. */
function Today({ day: { accepted, sent, delivered, failed, received } }: { day: DayUsage }) {
  const figures = [
    ['Accepted', accepted, 'texts to send'],
    ['Waiting', Math.max(0, accepted - sent - delivered - failed), 'not sent yet'],
    ['Sent', sent, 'no receipt yet'],
    ['Delivered', delivered, 'with a receipt'],
    ['Failed', failed, 'did not arrive'],
    ['Received', received, 'from others'],
  ] as const
  return (
    <section aria-labelledby="today">
      <h2 id="today">
        Today <span class="dim">since {dayStartWords(Date.now())}</span>
      </h2>
      <dl class="figures">
        {figures.map(([name, count, meaning]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <strong>{count}</strong> <span class="dim">{meaning}</span>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function ProblemNotice({ problem }: { problem: HealthProblem }) {
  const { code, severity, since, message, fix } = problem
  const link = problemLink(problem)
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
      <NewTab href={handbookOfProblem(code)}>In the handbook</NewTab>
    </div>
  )
}
