import { useState } from 'preact/hooks'
import { call, sending } from '#console/api.ts'
import { t } from '#console/language.ts'
import { Fault, When } from '#console/parts/basics.tsx'
import { PhoneNumber } from '#console/parts/phone-number.tsx'
import { T } from '#console/parts/t.tsx'
import { WaitingNotice } from '#console/parts/waiting-notice.tsx'
import { type Action, useAction, useResource } from '#console/use-resource.ts'
import { heardBy } from '#console/webhook-draft.ts'
import { whyWaits } from '#console/why-waits.ts'
import type { DeviceListItem } from '#contracts/device.ts'
import type { MessageResource } from '#contracts/message.ts'
import type { TriggeredResource, WebhookResource } from '#contracts/webhook.ts'

/** The gateway drops what repeats within a minute. */
const PRESS_SOON = t('If you press again within a minute, it will not be sent twice.')

interface Tested {
  readonly answer: TriggeredResource
  /** When the earlier test with the same text was accepted. Null: this test repeats none. */
  readonly firstAt: string | null
}

export interface WebhookTestState extends Omit<Action, 'run'> {
  readonly tested: Tested | null
  /** What the test texts say. Null: none was sent. */
  readonly text: string | null
  send(): void
}

/** Sends the test text of a webhook. */
export function useWebhookTest(id: string): WebhookTestState {
  const [tested, setTested] = useState<Tested | null>(null)
  const [text, setText] = useState<string | null>(null)
  const { run, ...action } = useAction()
  const send = () =>
    run(async () => {
      setTested(null)
      const answer = await sending(call<TriggeredResource>('POST', `webhooks/${id}/test`), PRESS_SOON)
      setText(answer.message)
      const [first] = answer.messages
      const isRepeat = answer.duplicate && first !== undefined
      const earlier = isRepeat ? await call<MessageResource>('GET', `sms/${first.messageId}`) : null
      setTested({ answer, firstAt: earlier?.createdAt ?? null })
    })
  return { ...action, tested, text, send: () => void send() }
}

interface TestButtonProps {
  readonly webhook: WebhookResource
  readonly test: WebhookTestState
  /** The page says above who gets the text. */
  readonly isSaid?: boolean
}

/** A button that sends a test text to the recipients of a webhook, and what happened to it. */
export function TestButton({ webhook, test, isSaid = false }: TestButtonProps) {
  const devices = useResource<readonly DeviceListItem[]>('devices', ['device'])
  const { tested, busy, error, send } = test
  const told = heardBy(webhook)
  if (told === null)
    return (
      <p class="dim">
        <T>
          Its policy tells people. To try that, press Rehearse under <a href="#/on-call">On call</a>.
        </T>
      </p>
    )
  return (
    <>
      <p class="row">
        <button type="button" disabled={busy || !webhook.enabled} onClick={send}>
          {t('Send a test text from Roost')}
        </button>
        {!webhook.enabled && <span class="dim">{t('The webhook is off.')}</span>}
        {webhook.enabled && !isSaid && (
          <span class="dim">
            <T>to {{ number: <PhoneNumber number={told} /> }}</T>
          </span>
        )}
      </p>
      <Fault error={error} />
      {tested !== null && <Outcome {...tested} />}
      {tested !== null && devices.data !== undefined && (
        <WaitingNotice waiting={whyWaits(devices.data, webhook.deviceId)} />
      )}
    </>
  )
}

function Outcome({ answer: { duplicate, message, messages }, firstAt }: Tested) {
  const [first] = messages
  return (
    <div class={`notice ${duplicate ? 'wait' : 'good'}`} role="status">
      {duplicate ? (
        <p>
          <T>
            <strong>Not sent again:</strong> the same test text was sent{' '}
            {{ when: firstAt === null ? t('a moment ago') : <When at={firstAt} isExact /> }}. Roost drops what
            repeats within a minute, so wait a minute and press again.
          </T>
        </p>
      ) : (
        <p>
          <T>
            <strong>Roost sends it:</strong> “{{ message }}”
          </T>
        </p>
      )}
      {first !== undefined && <a href={`#/texts/${first.messageId}`}>{t('Show the text')}</a>}
    </div>
  )
}
