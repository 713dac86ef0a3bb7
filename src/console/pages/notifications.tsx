import { useEffect, useState } from 'preact/hooks'
import { call } from '#console/api.ts'
import { runsByDay } from '#console/delivery-words.ts'
import { t } from '#console/language.ts'
import { Choice, Empty, Fault, Loading, PageHead, useNow } from '#console/parts/basics.tsx'
import { Copyable } from '#console/parts/copyable.tsx'
import { DeliveryLines, DeliveryRuns } from '#console/parts/delivery-lines.tsx'
import { DELIVERY_MARKS } from '#console/parts/delivery-marks.ts'
import { type ChangeSetting, NotificationForm } from '#console/parts/notification-form.tsx'
import { ReplayAll } from '#console/parts/replay-all.tsx'
import { ShowMore } from '#console/parts/show-more.tsx'
import { T } from '#console/parts/t.tsx'
import { linkTo } from '#console/route.ts'
import { usePages } from '#console/use-pages.ts'
import { useAction, useResource } from '#console/use-resource.ts'
import { EVENT_WORDS } from '#console/words-of-states.ts'
import type { DeliveryResource, NotificationResource } from '#contracts/notification.ts'

/** The URL for notifications, and the log of deliveries. */
export function NotificationsPage({ query }: { query: URLSearchParams }) {
  const setting = useResource<NotificationResource>('notifications', ['delivery'])
  const change = useAction()
  const [secret, setSecret] = useState<string | null>(null)
  const act: ChangeSetting = work =>
    change.run(async () => {
      const answer = await work()
      if (answer.secret !== null) setSecret(answer.secret)
      setting.reload()
    })
  return (
    <>
      <PageHead title={t('Notifications')} />
      <p class="dim">
        <T>
          For your programs: when a text was delivered, failed or came in, Roost posts a signed notification
          to their address. The texts themselves are under <a href="#/texts">Texts</a>.
        </T>
      </p>
      <Fault error={change.error} />
      <Fault error={setting.error} retry={setting.reload} />
      {setting.isLoading && <Loading />}
      {setting.data?.url != null && !setting.data.enabled && <Disabled setting={setting.data} act={act} />}
      {secret !== null && (
        <section class="card">
          <h2>{t('The secret, shown only now')}</h2>
          <Copyable text={secret} label={t('the secret')} />
          <p class="hint">
            <T>
              The header X-Webhook-Signature is sha256= followed by the HMAC-SHA256 of the body with this
              secret, in hexadecimal.
            </T>
          </p>
        </section>
      )}
      {setting.data !== undefined && (
        <details class="fold" key={String(setting.data.url)} open={setting.data.url === null}>
          <summary>
            {setting.data.url === null
              ? t('Where events go')
              : t('Events go to {url}', { url: setting.data.url })}
          </summary>
          <NotificationForm setting={setting.data} action={change} act={act} />
        </details>
      )}
      {setting.data !== undefined && <Log query={query} setting={setting.data} />}
    </>
  )
}

function Disabled({ setting, act }: { setting: NotificationResource; act: ChangeSetting }) {
  const { url, events, disabledReason } = setting
  return (
    <div class="notice bad">
      <h2>{t('Nothing is posted any more')}</h2>
      <p>
        {disabledReason === 'GONE'
          ? t('The receiver answered 410 (Gone).')
          : t('The receiver failed for five days.')}
      </p>
      <button type="button" onClick={() => void act(() => call('PUT', 'notifications', { url, events }))}>
        {t('Post again from now on')}
      </button>
    </div>
  )
}

interface LogProps {
  readonly query: URLSearchParams
  readonly setting: NotificationResource
}

/** Failures that are shown before the rest; one more is fetched to see whether there are more. */
const FAILED_SHOWN = 3

/** What was posted, also by forwards and to addresses that texts name. What was not comes first. */
function Log({ query, setting: { url, enabled } }: LogProps) {
  const status = query.get('status') ?? ''
  const event = query.get('event') ?? ''
  const used = Object.entries({ status, event }).filter(([, value]) => value !== '')
  const isFiltered = used.length > 0
  const failed = useResource<readonly DeliveryResource[]>(
    isFiltered ? null : `notifications/deliveries?status=failed&limit=${FAILED_SHOWN + 1}`,
    ['delivery'],
  )
  const pages = usePages<DeliveryResource>(
    `notifications/deliveries?${new URLSearchParams([...used, ['limit', '50']])}`,
    ['delivery'],
    ({ id }) => id,
  )
  // What can be done about them stays when it was done.
  const [hasFailed, setFailed] = useState(false)
  const count = failed.data?.length ?? 0
  useEffect(() => {
    if (count > 0) setFailed(true)
  }, [count])
  const now = useNow(60_000)
  const { first, rows } = pages
  const go = (change: Record<string, string>) => {
    location.hash = linkTo('notifications', { status, event, ...change })
  }
  if (url === null && !isFiltered && first.data?.length === 0) return null
  const reload = () => {
    first.reload()
    failed.reload()
  }
  return (
    <>
      <NotPosted failed={failed.data ?? []} />
      {url !== null && enabled && hasFailed && <ReplayAll reload={reload} />}
      <section aria-labelledby="log">
        <h2 id="log" class="group-head">
          {t('All notifications')}
        </h2>
        <div class="filters slim">
          <Choice
            label={t('Status')}
            value={status}
            onValue={value => go({ status: value })}
            options={[
              ['', t('Any')],
              ...Object.entries(DELIVERY_MARKS).map(([key, mark]) => [key, mark[2]] as const),
            ]}
          />
          <Choice
            label={t('Event')}
            value={event}
            onValue={value => go({ event: value })}
            options={[['', t('Any')], ...EVENT_WORDS]}
          />
        </div>
        <Fault error={first.error} retry={first.reload} />
        {first.isLoading && <Loading />}
        {first.data !== undefined && rows.length === 0 && (
          <Empty
            title={isFiltered ? t('No notifications match these filters') : t('Nothing was posted yet')}
            {...(!isFiltered && { drawing: 'letter' as const })}
          >
            {isFiltered && (
              <a class="button" href="#/notifications">
                {t('Clear the filters')}
              </a>
            )}
          </Empty>
        )}
        <DeliveryRuns days={runsByDay(rows, now)} />
        <ShowMore pages={pages} />
      </section>
    </>
  )
}

/** The newest notifications that no receiver took. */
function NotPosted({ failed }: { failed: readonly DeliveryResource[] }) {
  if (failed.length === 0) return null
  return (
    <section aria-labelledby="not-posted">
      <div class="row apart group-head">
        <h2 id="not-posted" class="bad">
          {t('Not posted')}
        </h2>
        {failed.length > FAILED_SHOWN && (
          <a href={linkTo('notifications', { status: 'failed' })}>{t('Show all of these')}</a>
        )}
      </div>
      <DeliveryLines deliveries={failed.slice(0, FAILED_SHOWN)} areFailed />
    </section>
  )
}
