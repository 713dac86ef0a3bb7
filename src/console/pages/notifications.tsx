import { useEffect, useState } from 'preact/hooks'
import { call } from '#console/api.ts'
import {
  Choice,
  Copyable,
  Empty,
  Fault,
  Field,
  Loading,
  Mark,
  PageHead,
  Tick,
  When,
} from '#console/parts/basics.tsx'
import { DELIVERY_MARKS } from '#console/parts/delivery-marks.ts'
import { hashOf } from '#console/route.ts'
import { localMinute } from '#console/time-words.ts'
import { type Action, type Resource, useAction, useResource } from '#console/use-resource.ts'
import { EVENT_WORDS, eventWords } from '#console/words.ts'
import type { DeliveryResource, NotificationResource, ReplayedResource } from '#contracts/notification.ts'

/** Where events go, and whether they arrive. */
export function Notifications({ query }: { query: URLSearchParams }) {
  const setting = useResource<NotificationResource>('notifications', ['delivery'])
  const change = useAction()
  const [secret, setSecret] = useState<string | null>(null)
  const act = (work: () => Promise<NotificationResource>) =>
    change.run(async () => {
      const answer = await work()
      if (answer.secret !== null) setSecret(answer.secret)
      setting.reload()
    })
  return (
    <>
      <PageHead title="Deliveries" />
      <p class="dim">Roost tells a program of yours what happens: it posts each event to a URL, signed.</p>
      <Fault error={change.error ?? setting.error} />
      {setting.isLoading && <Loading />}
      {setting.data?.url != null && !setting.data.enabled && <Disabled setting={setting.data} act={act} />}
      {secret !== null && (
        <section class="card">
          <h2>The secret, shown only now</h2>
          <Copyable text={secret} label="the secret" />
          <p class="hint">
            X-Webhook-Signature is sha256= and the HMAC-SHA256 of the body with this secret, as hexadecimal
            digits.
          </p>
        </section>
      )}
      {setting.data !== undefined && (
        <SettingForm key={String(setting.data.url)} setting={setting.data} action={change} act={act} />
      )}
      {setting.data?.url != null && <Log query={query} isEnabled={setting.data.enabled} />}
    </>
  )
}

type Act = (work: () => Promise<NotificationResource>) => Promise<boolean>

function Disabled({ setting, act }: { setting: NotificationResource; act: Act }) {
  const { url, events, disabledReason } = setting
  return (
    <div class="notice bad">
      <h2>Nothing is posted any more</h2>
      <p>
        {disabledReason === 'GONE'
          ? 'The receiver answered 410: it wants nothing more.'
          : 'The receiver failed for five days.'}
      </p>
      <button type="button" onClick={() => void act(() => call('PUT', 'notifications', { url, events }))}>
        Post again from now on
      </button>
    </div>
  )
}

function SettingForm({ setting, action, act }: { setting: NotificationResource; action: Action; act: Act }) {
  const [url, setUrl] = useState(setting.url ?? '')
  const [events, setEvents] = useState<readonly string[]>(
    setting.url === null ? ['sms.delivered', 'sms.failed', 'sms.received'] : setting.events,
  )
  const [tested, setTested] = useState<string | null>(null)
  const test = useAction()
  return (
    <form
      class="card"
      onSubmit={event => {
        event.preventDefault()
        void act(() => call('PUT', 'notifications', { url, events }))
      }}
    >
      <Field
        label="URL"
        type="url"
        required
        value={url}
        onValue={setUrl}
        placeholder="http://192.168.1.10:3000/sms-events"
        issue={action.error?.issueOf('url')}
      />
      <fieldset>
        <legend>Which events</legend>
        {EVENT_WORDS.map(([event, word]) => (
          <Tick
            key={event}
            label={word}
            checked={events.includes(event)}
            onValue={on => setEvents(on ? [...events, event] : events.filter(one => one !== event))}
          />
        ))}
      </fieldset>
      <div class="row">
        <button type="submit" class="primary" disabled={action.busy}>
          Save
        </button>
        {setting.url !== null && (
          <>
            <button
              type="button"
              disabled={test.busy || !setting.enabled}
              onClick={() =>
                void test.run(async () => {
                  setTested((await call<DeliveryResource>('POST', 'notifications/test')).id)
                })
              }
            >
              Post a test event
            </button>
            <button type="button" onClick={() => void act(() => call('POST', 'notifications/rotate'))}>
              Make a new secret
            </button>
            <button
              type="button"
              class="danger"
              onClick={() => void act(() => call('DELETE', 'notifications'))}
            >
              Stop posting
            </button>
          </>
        )}
      </div>
      <Fault error={test.error} />
      {tested !== null && <Outcome id={tested} />}
    </form>
  )
}

function Outcome({ id }: { id: string }) {
  const log = useResource<readonly DeliveryResource[]>('notifications/deliveries?limit=50', ['delivery'])
  const found = log.data?.find(one => one.id === id)
  return (
    <p role="status">
      {found === undefined || found.attempts === 0
        ? 'The test is on its way…'
        : `The test: ${answerWords(found)}.`}
    </p>
  )
}

function answerWords({ lastResponseStatus, lastError, status }: DeliveryResource): string {
  if (status === 'delivered') return `taken, answered ${lastResponseStatus}`
  if (lastResponseStatus !== null) return `answered ${lastResponseStatus}`
  return lastError === null ? 'not tried yet' : `no answer (${lastError.toLowerCase().replaceAll('_', ' ')})`
}

function Log({ query, isEnabled }: { query: URLSearchParams; isEnabled: boolean }) {
  const status = query.get('status') ?? ''
  const event = query.get('event') ?? ''
  const used = Object.entries({ status, event }).filter(([, value]) => value !== '')
  const log = useResource<readonly DeliveryResource[]>(
    `notifications/deliveries?${new URLSearchParams([...used, ['limit', '50']])}`,
    ['delivery'],
  )
  const go = (change: Record<string, string>) => {
    location.hash = hashOf('notifications', { status, event, ...change })
  }
  return (
    <section aria-labelledby="log">
      <h2 id="log">What was posted</h2>
      <div class="filters">
        <Choice
          label="Status"
          value={status}
          onValue={value => go({ status: value })}
          options={[
            ['', 'Any'],
            ...Object.entries(DELIVERY_MARKS).map(([key, mark]) => [key, mark[2]] as const),
          ]}
        />
        <Choice
          label="Event"
          value={event}
          onValue={value => go({ event: value })}
          options={[['', 'Any'], ...EVENT_WORDS]}
        />
      </div>
      <Fault error={log.error} retry={log.reload} />
      {log.isLoading && <Loading />}
      {log.data?.length === 0 && (
        <Empty title={used.length > 0 ? 'Nothing fits these filters' : 'Nothing was posted yet'}>
          {used.length > 0 && (
            <a class="button" href="#/notifications">
              Clear the filters
            </a>
          )}
        </Empty>
      )}
      {log.data !== undefined && log.data.length > 0 && <Deliveries log={log} />}
      {isEnabled && <ReplayAll reload={log.reload} />}
    </section>
  )
}

function Deliveries({ log }: { log: Resource<readonly DeliveryResource[]> }) {
  return (
    <ul class="list">
      {log.data?.map(one => {
        const [tone, mark, word] = DELIVERY_MARKS[one.status]
        return (
          <li key={one.id}>
            <a href={`#/notifications/${one.id}`}>
              <strong>{eventWords(one.event)}</strong>
              <Mark tone={tone} mark={mark} word={word} />
              <span class="dim">
                {one.attempts === 1 ? '1 attempt' : `${one.attempts} attempts`} · {answerWords(one)}
                {one.nextAttemptAt !== null && (
                  <>
                    {' '}
                    · next <When at={one.nextAttemptAt} />
                  </>
                )}
              </span>
              <span class="dim end">
                <When at={one.createdAt} />
              </span>
            </a>
          </li>
        )
      })}
    </ul>
  )
}

function ReplayAll({ reload }: { reload: () => void }) {
  const [since, setSince] = useState(() => localMinute(Date.now() - 86_400_000))
  const [said, setSaid] = useState('')
  const [count, setCount] = useState<number | null>(null)
  const replay = useAction()
  const from = Number.isNaN(Date.parse(since)) ? null : new Date(since).toISOString()
  useEffect(() => {
    if (from === null) return
    let isOld = false
    const path = `notifications/deliveries?status=failed&limit=200&since=${encodeURIComponent(from)}`
    call<readonly DeliveryResource[]>('GET', path).then(
      rows => {
        if (!isOld) setCount(rows.filter(({ createdAt }) => createdAt >= from).length)
      },
      () => {
        if (!isOld) setCount(null)
      },
    )
    return () => {
      isOld = true
    }
  }, [from])
  return (
    <form
      class="card"
      onSubmit={event => {
        event.preventDefault()
        void replay.run(async () => {
          const { replayed } = await call<ReplayedResource>('POST', 'notifications/deliveries/replay', {
            since: from,
          })
          setSaid(replayed === 1 ? '1 event is posted again' : `${replayed} events are posted again`)
          reload()
        })
      }}
    >
      <h2>After a breakdown of the receiver</h2>
      <Field label="Failed since" type="datetime-local" required value={since} onValue={setSince} />
      {count !== null && <p class="dim">{count >= 200 ? '200 or more' : count} failed since then.</p>}
      <Fault error={replay.error} />
      <div class="row">
        <button type="submit" disabled={replay.busy || from === null}>
          Post all of these again
        </button>
        <span role="status">{said}</span>
      </div>
    </form>
  )
}
