import { useState } from 'preact/hooks'
import { call } from '#console/api.ts'
import { answerWords } from '#console/delivery-words.ts'
import { t } from '#console/language.ts'
import { Fault, Field, Tick } from '#console/parts/basics.tsx'
import { type Action, useAction, useResource } from '#console/use-resource.ts'
import { EVENT_WORDS } from '#console/words-of-states.ts'
import type { DeliveryResource, NotificationResource } from '#contracts/notification.ts'

/** Changes the setting. The answer of `work` may contain a new secret. */
export type ChangeSetting = (work: () => Promise<NotificationResource>) => Promise<boolean>

interface NotificationFormProps {
  readonly setting: NotificationResource
  readonly action: Action
  readonly act: ChangeSetting
}

/** The form for the URL of notifications, and the choice of events. */
export function NotificationForm({ setting, action, act }: NotificationFormProps) {
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
        label={t('URL')}
        type="url"
        required
        value={url}
        onValue={setUrl}
        placeholder={t('For example http://192.168.1.10:3000/sms-events')}
        issue={action.error?.issueOf('url')}
      />
      <fieldset class="ticks">
        <legend>{t('Which events')}</legend>
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
          {t('Save')}
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
              {t('Post a test event')}
            </button>
            <button type="button" onClick={() => void act(() => call('POST', 'notifications/rotate'))}>
              {t('Make a new secret')}
            </button>
            <button
              type="button"
              class="danger"
              onClick={() => void act(() => call('DELETE', 'notifications'))}
            >
              {t('Stop posting')}
            </button>
          </>
        )}
      </div>
      <Fault error={test.error} />
      {tested !== null && <Outcome id={tested} />}
    </form>
  )
}

/** How the test event ended. */
function Outcome({ id }: { id: string }) {
  const log = useResource<readonly DeliveryResource[]>('notifications/deliveries?limit=50', ['delivery'])
  const found = log.data?.find(one => one.id === id)
  return (
    <p role="status">
      {found === undefined || found.attempts === 0
        ? t('The test is on its way…')
        : t('The test: {answer}.', { answer: answerWords(found) })}
    </p>
  )
}
