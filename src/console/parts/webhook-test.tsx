import { useState } from 'preact/hooks'
import { call } from '#console/api.ts'
import { Fault, When } from '#console/parts/basics.tsx'
import { WaitingNotice } from '#console/parts/waiting-notice.tsx'
import { useAction, useResource } from '#console/use-resource.ts'
import { whyWaits } from '#console/why-waits.ts'
import type { DeviceListItem } from '#contracts/device.ts'
import type { MessageResource } from '#contracts/message.ts'
import type { TriggeredResource, WebhookResource } from '#contracts/webhook.ts'

interface Tested {
  readonly answer: TriggeredResource
  /** When the text of the first test was accepted, if this one repeats it. */
  readonly firstAt: string | null
}

interface WebhookTestProps {
  readonly webhook: WebhookResource
  /** The page says itself that an alert arrived. */
  readonly isAnnounced?: boolean
}

/** A button that sends a test text to the recipients of a webhook, and what happened to it. */
export function WebhookTest({ webhook, isAnnounced = false }: WebhookTestProps) {
  const devices = useResource<readonly DeviceListItem[]>('devices', ['device'])
  const [tested, setTested] = useState<Tested | null>(null)
  const test = useAction()
  const send = () =>
    test.run(async () => {
      setTested(null)
      const answer = await call<TriggeredResource>('POST', `webhooks/${webhook.id}/test`)
      const [first] = answer.messages
      const isRepeat = answer.duplicate && first !== undefined
      const text = isRepeat ? await call<MessageResource>('GET', `sms/${first.messageId}`) : null
      setTested({ answer, firstAt: text?.createdAt ?? null })
    })
  return (
    <>
      <p class="row">
        <button type="button" disabled={test.busy || !webhook.enabled} onClick={() => void send()}>
          Send a test text
        </button>
        <span class="dim">{webhook.enabled ? recipientWords(webhook) : 'The webhook is off.'}</span>
      </p>
      <Fault error={test.error} />
      {tested !== null && (tested.answer.duplicate || !isAnnounced) && <Outcome {...tested} />}
      {tested !== null && devices.data !== undefined && (
        <WaitingNotice waiting={whyWaits(devices.data, webhook.deviceId)} />
      )}
    </>
  )
}

function recipientWords({ recipients }: WebhookResource): string {
  return recipients.length === 1 ? `to ${recipients[0]}` : `to all ${recipients.length} numbers`
}

function Outcome({ answer: { duplicate, message, messages }, firstAt }: Tested) {
  const [first] = messages
  return (
    <div class={`notice ${duplicate ? 'wait' : 'good'}`} role="status">
      {duplicate ? (
        <p>
          <strong>Not sent again:</strong> the same test text was sent{' '}
          {firstAt === null ? 'a moment ago' : <When at={firstAt} isExact />}. Roost drops what repeats within
          a minute, so wait a minute and press again.
        </p>
      ) : (
        <p>
          <strong>Accepted:</strong> “{message}”
        </p>
      )}
      {first !== undefined && <a href={`#/messages/${first.messageId}`}>Show the text</a>}
    </div>
  )
}
