import { useState } from 'preact/hooks'
import { call } from '#console/api.ts'
import { t } from '#console/language.ts'
import { Fault, Field } from '#console/parts/basics.tsx'
import { localMinute } from '#console/time-words.ts'
import { useAction, useResource } from '#console/use-resource.ts'
import type { DeliveryResource, ReplayedResource } from '#contracts/notification.ts'

const DAY_MS = 86_400_000
/** The largest page that the API returns. */
const COUNTED_MAX = 200

/** The form that posts all failed deliveries since a given time again. */
export function ReplayAll({ reload }: { reload: () => void }) {
  const [since, setSince] = useState(() => localMinute(Date.now() - DAY_MS))
  const [notice, setNotice] = useState('')
  const replay = useAction()
  const from = Number.isNaN(Date.parse(since)) ? null : new Date(since).toISOString()
  const query = new URLSearchParams({ status: 'failed', limit: `${COUNTED_MAX}`, since: from ?? '' })
  const failed = useResource<readonly DeliveryResource[]>(
    from === null ? null : `notifications/deliveries?${query}`,
    ['delivery'],
  )
  const count = failed.data?.length ?? null
  return (
    <form
      class="card"
      onSubmit={event => {
        event.preventDefault()
        void replay.run(async () => {
          const { replayed } = await call<ReplayedResource>('POST', 'notifications/deliveries/replay', {
            since: from,
          })
          setNotice(t('1 event is posted again|{count} events are posted again', { count: replayed }))
          reload()
        })
      }}
    >
      <h2>{t('After an outage of the receiver')}</h2>
      <div class="row low">
        <Field label={t('Failed since')} type="datetime-local" required value={since} onValue={setSince} />
        <button type="submit" disabled={replay.busy || from === null}>
          {t('Post all of these again')}
        </button>
        <span role="status">{notice}</span>
      </div>
      <Fault error={replay.error} />
      {count !== null && (
        <p class="dim">
          {count >= COUNTED_MAX
            ? t('{count} or more failed since then.', { count: COUNTED_MAX })
            : t('{count} failed since then.', { count })}
        </p>
      )}
    </form>
  )
}
