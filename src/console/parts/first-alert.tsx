import { useEffect, useRef } from 'preact/hooks'
import { t } from '#console/language.ts'
import { noteCopied } from '#console/new-address.ts'
import { Confirmation } from '#console/parts/confirmation.tsx'
import { NextStep } from '#console/parts/first-steps.tsx'
import { MessageBadge } from '#console/parts/message-badge.tsx'
import { T } from '#console/parts/t.tsx'
import { OUTCOME_WORDS } from '#console/parts/triggers.tsx'
import { TestButton, useWebhookTest } from '#console/parts/webhook-test.tsx'
import { linkTo } from '#console/route.ts'
import { useResource } from '#console/use-resource.ts'
import { heardBy } from '#console/webhook-draft.ts'
import type { MessageResource } from '#contracts/message.ts'
import type { SeenTriggerResource, WebhookTriggers } from '#contracts/seen-trigger.ts'
import type { WebhookResource } from '#contracts/webhook.ts'

/**
 * Waits for the first alert from the sender. Offers to send a test text from Roost until the alert has
 * come.
 */
export function FirstAlert({ webhook }: { webhook: WebhookResource }) {
  const test = useWebhookTest(webhook.id)
  const alert = useFirstAlert(webhook, test.busy, test.text)
  const isUsed = alert !== undefined
  useEffect(() => {
    // A sender has the address, so it was copied, perhaps by hand.
    if (isUsed) noteCopied(webhook.id)
  }, [isUsed])
  return (
    <section class="card">
      <h2>{t('3. See an alert arrive')}</h2>
      <p>{t('Press the test button of your sender, or let one of its checks fail.')}</p>
      <div class={`notice ${alert?.outcome === 'TRIGGERED' ? 'good' : 'wait'}`} role="status">
        {alert === undefined ? (
          <p>{t('Waiting for the first alert from your sender…')}</p>
        ) : (
          <Arrived webhook={webhook} alert={alert} />
        )}
      </div>
      {alert?.outcome !== 'TRIGGERED' && (
        <>
          <p class="dim">{t('Nothing arrives? See whether a text gets through without your sender:')}</p>
          <TestButton webhook={webhook} test={test} isSaid />
        </>
      )}
      <NextStep isDone={alert?.outcome === 'TRIGGERED'} />
    </section>
  )
}

/** The first alert that came while this page was open, without Roost's own test. */
function useFirstAlert(
  { id, usage }: WebhookResource,
  isTesting: boolean,
  testText: string | null,
): SeenTriggerResource | undefined {
  const { data } = useResource<WebhookTriggers>(`webhooks/${id}/triggers`, ['webhook'])
  const isNew = usage.total === 0 && usage.rejected === 0
  // An older webhook shows this after its address was replaced. Alerts to the old address do not count.
  const after = useRef(isNew ? '' : undefined)
  if (data !== undefined) after.current ??= data.triggers[0]?.at ?? ''
  if (data === undefined || isTesting) return undefined
  const alerts = data.triggers.filter(({ at, message }) => at > (after.current ?? '') && message !== testText)
  return alerts.find(({ outcome }) => outcome === 'TRIGGERED') ?? alerts[0]
}

function Arrived({ webhook, alert }: { webhook: WebhookResource; alert: SeenTriggerResource }) {
  const { id } = webhook
  const becameText = alert.outcome === 'TRIGGERED'
  const texts = useResource<readonly MessageResource[]>(becameText ? `sms?webhookId=${id}&limit=20` : null, [
    'message',
  ])
  const text = texts.data?.find(({ message }) => message === alert.message)
  if (!becameText)
    return (
      <p>
        <strong>
          <T>An alert came from {{ address: alert.address }}, but no text was sent:</T>
        </strong>{' '}
        {OUTCOME_WORDS[alert.outcome]}.
      </p>
    )
  return (
    <>
      <Confirmation trigger={alert} />
      <p>
        <T>
          <strong>It arrived.</strong> The alert from {{ address: alert.address }} became a text to{' '}
          {{ heardBy: heardBy(webhook) ?? t('the people of its policy') }}: “{{ message: alert.message }}”
        </T>
      </p>
      <p>
        {text?.pretend === true
          ? t('A pretend phone took it: it printed the text in its terminal, and nobody received it.')
          : t('Now look at the phone that should get it. If the text is not there, its page says why.')}
      </p>
      <p class="row">
        {text === undefined ? (
          <a href={linkTo('texts', { webhookId: id })}>{t('Show its texts')}</a>
        ) : (
          <>
            <a href={linkTo(`texts/${text.messageId}`)}>{t('Show the text')}</a>
            <MessageBadge message={text} />
          </>
        )}
      </p>
    </>
  )
}
