import { useEffect, useState } from 'preact/hooks'
import { Empty, Fault, Field, Loading, MessageBadge, PageHead, When } from '#console/parts/basics.tsx'
import { Bubble, SegmentCount } from '#console/parts/bubble.tsx'
import { WaitingNotice } from '#console/parts/waiting-notice.tsx'
import { useAction, useResource } from '#console/use-resource.ts'
import { useSend } from '#console/use-send.ts'
import { whyWaits } from '#console/why-waits.ts'
import type { DeviceListItem } from '#contracts/device.ts'
import type { MessageResource } from '#contracts/message.ts'

interface ReceivedText {
  readonly id: string
  readonly from: string | null
  readonly message: string | null
  readonly receivedAt: string
  readonly deviceId: string
}

/** Senders of received texts, the newest first. */
export function ReceivedPage() {
  const { data, isLoading, error, reload } = useResource<readonly ReceivedText[]>('received?limit=200', [
    'received',
  ])
  const latest = new Map<string, ReceivedText>()
  for (const one of data ?? []) if (one.from !== null && !latest.has(one.from)) latest.set(one.from, one)
  return (
    <>
      <PageHead title="Received texts" />
      <Fault error={error} retry={reload} />
      {isLoading && <Loading />}
      {data !== undefined && latest.size === 0 && (
        <Empty title="No received texts yet">
          <p>Texts that your phones receive are listed here, if their app passes them on.</p>
        </Empty>
      )}
      {latest.size > 0 && (
        <ul class="list">
          {[...latest].map(([from, one]) => (
            <li key={from}>
              <a href={`#/received/${encodeURIComponent(from)}`}>
                <strong class="number">{from}</strong>
                <span class="dim end">
                  <When at={one.receivedAt} />
                </span>
                <span class="one-line">{one.message ?? 'Text removed after its retention time'}</span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

/** Sent and received texts of one number. */
export function ConversationPage({ from }: { from: string }) {
  const isNumber = /^\+\d+$/.test(from)
  const who = encodeURIComponent(from)
  const received = useResource<readonly ReceivedText[]>(`received?from=${who}&limit=100`, ['received'])
  const sent = useResource<readonly MessageResource[]>(isNumber ? `sms?phoneNumber=${who}&limit=100` : null, [
    'message',
  ])
  const [text, setText] = useState('')
  const devices = useResource<readonly DeviceListItem[]>('devices', ['device'])
  const reply = useAction()
  const sendOnce = useSend()
  const entries = [
    ...(received.data ?? []).map(one => ({ key: one.id, at: one.receivedAt, text: one.message, sent: null })),
    ...(sent.data ?? []).map(one => ({
      key: one.messageId,
      at: one.createdAt,
      text: one.message,
      sent: one,
    })),
  ].sort((a, b) => (a.at < b.at ? -1 : 1))
  const isThere = received.data !== undefined && (!isNumber || sent.data !== undefined)
  // Scroll to the end, because people read the newest texts first.
  useEffect(() => {
    if (isThere) scrollTo({ top: document.body.scrollHeight })
  }, [isThere])
  const lastId = received.data?.[0]?.deviceId ?? null
  // The phone that got the last text replies, unless it was removed.
  const isRemoved = devices.data?.every(one => one.deviceId !== lastId) === true
  const deviceId = isRemoved ? null : lastId
  const send = () =>
    reply.run(async () => {
      await sendOnce([from, text], { phoneNumber: from, message: text, deviceId, queueIfOffline: true })
      setText('')
      sent.reload()
    })
  return (
    <>
      <PageHead title={from} />
      <Fault error={received.error} retry={received.reload} />
      {received.isLoading && <Loading />}
      <div class="talk">
        {entries.map(one => (
          <div key={one.key}>
            <Bubble
              text={one.text ?? 'Text removed after its retention time'}
              side={one.sent === null ? 'in' : 'out'}
            />
            <p class={one.sent === null ? 'dim hint' : 'dim end'}>
              <When at={one.at} />
              {one.sent !== null && (
                <>
                  {' '}
                  · <MessageBadge message={one.sent} />
                </>
              )}
            </p>
          </div>
        ))}
      </div>
      {isNumber ? (
        <form
          class="card"
          onSubmit={event => {
            event.preventDefault()
            void send()
          }}
        >
          <Field
            label="Reply"
            rows={2}
            required
            value={text}
            onValue={setText}
            issue={reply.error?.issueOf('message')}
          />
          {text !== '' && <SegmentCount text={text} />}
          {devices.data !== undefined && <WaitingNotice waiting={whyWaits(devices.data, deviceId)} />}
          <Fault error={reply.error} fields={['message']} />
          <button type="submit" class="primary" disabled={reply.busy}>
            Send reply
          </button>
        </form>
      ) : (
        <p class="dim">{from} is a name, not a number, so you cannot reply.</p>
      )}
    </>
  )
}
