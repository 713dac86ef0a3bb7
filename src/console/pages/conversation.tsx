import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { t } from '#console/language.ts'
import { Fault, Field, Loading, PageHead, Tick, useNow } from '#console/parts/basics.tsx'
import { Bubble, SegmentCount } from '#console/parts/bubble.tsx'
import { MessageBadge } from '#console/parts/message-badge.tsx'
import { PhoneNumber } from '#console/parts/phone-number.tsx'
import { T } from '#console/parts/t.tsx'
import { WaitingNotice } from '#console/parts/waiting-notice.tsx'
import { markSeen } from '#console/seen-texts.ts'
import { may } from '#console/session-of-reader.ts'
import { byDayOfTalk, type DayOfTalk, mergeTalk } from '#console/talk.ts'
import { clockWords, exactWords } from '#console/time-words.ts'
import { type Pages, usePages } from '#console/use-pages.ts'
import { usePersonNames } from '#console/use-person-names.ts'
import { useAction, useResource } from '#console/use-resource.ts'
import { useSend } from '#console/use-send.ts'
import { useTyped } from '#console/use-typed.ts'
import { canSend, waitWords, whyWaits } from '#console/why-waits.ts'
import type { DeviceListItem } from '#contracts/device.ts'
import type { ReceivedResource } from '#contracts/inbox.ts'
import type { MessageResource } from '#contracts/message.ts'
import type { OptOutResource } from '#contracts/opt-out.ts'

/** Sent and received texts of one number. */
export function ConversationPage({ from }: { from: string }) {
  const isShortCode = /^\d{3,6}$/.test(from)
  const isNumber = isShortCode || /^\+\d+$/.test(from)
  const who = encodeURIComponent(from.trim())
  const received = usePages<ReceivedResource>(`received?from=${who}&limit=50`, ['received'], ({ id }) => id)
  const sent = usePages<MessageResource>(
    isNumber ? `sms?phoneNumber=${who}&limit=50` : null,
    ['message'],
    ({ messageId }) => messageId,
  )
  const name = usePersonNames(isNumber)(from)
  const [text, setText, forget] = useTyped(`reply ${from}`, '')
  const devices = useResource<readonly DeviceListItem[]>('devices', ['device'])
  const asked = isNumber ? `opt-outs?phoneNumber=${who}` : null
  const optOut = useResource<readonly OptOutResource[]>(asked, ['received'])
  const isOptedOut = (optOut.data ?? []).length > 0
  const reply = useAction()
  const sendOnce = useSend()
  const entries = mergeTalk(received, sent)
  const keepPlace = useKeptPlace(entries[0]?.key)
  const now = useNow(60_000)
  const isThere = received.first.data !== undefined && (!isNumber || sent.first.data !== undefined)
  const end = useEndInView(isThere)
  const newest = received.rows[0]
  useEffect(() => {
    if (newest !== undefined) markSeen(from, newest.receivedAt)
  }, [from, newest?.receivedAt])
  const lastId = newest?.deviceId ?? null
  // The phone that got the last text replies, unless it was removed.
  const isRemoved = devices.data?.every(one => one.deviceId !== lastId) === true
  const [byAny, setByAny] = useState(false)
  const own = isRemoved ? null : lastId
  const deviceId = byAny ? null : own
  const ownWaits = devices.data === undefined ? null : whyWaits(devices.data, own)
  const send = async () => {
    const isSent = await reply.run(async () => {
      await sendOnce([from, text, isOptedOut ? 'all the same' : ''], {
        phoneNumber: from,
        ...(isShortCode && { skipPhoneValidation: true }),
        message: text,
        ...(deviceId !== null && { deviceId, simSlot: newest?.simSlot ?? null }),
        queueIfOffline: true,
        ...(isOptedOut && { despiteOptOut: true }),
      })
      setText('')
      forget()
      sent.first.reload()
    })
    // The number may have said STOP since the page was opened.
    if (!isSent) optOut.reload()
  }
  return (
    <>
      <PageHead title={name ?? from} heading={name ?? <PhoneNumber number={from} />}>
        {name !== null && (
          <span class="dim">
            <PhoneNumber number={from} />
          </span>
        )}
      </PageHead>
      <Fault error={received.first.error} retry={received.first.reload} />
      <Fault error={sent.first.error} retry={sent.first.reload} />
      {received.first.isLoading && <Loading />}
      <Earlier lists={[received, sent]} keepPlace={keepPlace} />
      {byDayOfTalk(entries, now).map(({ day, texts }) => (
        <section key={day} class="talk" aria-label={day}>
          <h2 class="day">{day}</h2>
          {texts.map(one => (
            <Said key={one.key} said={one} phones={devices.data} />
          ))}
        </section>
      ))}
      <div ref={end}>
        {isNumber && may('operator') && (
          <form
            class="card reply"
            onSubmit={event => {
              event.preventDefault()
              void send()
            }}
          >
            <Field
              label={t('Reply')}
              rows={2}
              required
              value={text}
              onValue={setText}
              issue={reply.error?.issueOf('message')}
            />
            {text !== '' && <SegmentCount text={text} />}
            {devices.data !== undefined && (
              <WaitingNotice waiting={whyWaits(devices.data, deviceId)} isShort />
            )}
            {own !== null && ownWaits !== null && devices.data?.some(canSend) === true && (
              <Tick
                label={t('Send by another phone, which has another number')}
                checked={byAny}
                onValue={setByAny}
              />
            )}
            {isOptedOut && (
              <p class="notice">
                {t('They want no more texts.')} <a href="#/opt-outs">{t('Show the list')}</a>
              </p>
            )}
            <Fault error={reply.error} fields={['message']} />
            <button type="submit" class="primary" disabled={reply.busy}>
              {isOptedOut ? t('Text them all the same') : t('Send reply')}
            </button>
          </form>
        )}
        {!isNumber && name === null && (
          <p class="dim">
            <T>{{ from }} is a name, not a number, so you cannot reply.</T>
          </p>
        )}
      </div>
    </>
  )
}

/**
 * People read the newest texts first. What comes later (a name, the reply's notes) moves the end, so the page
 * follows it until the reader does something.
 */
function useEndInView(isThere: boolean) {
  const end = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const last = end.current
    if (!isThere || last?.parentElement == null) return
    const follow = new ResizeObserver(() => last.scrollIntoView({ block: 'end' }))
    for (const box of [last, last.parentElement]) follow.observe(box)
    const stop = () => follow.disconnect()
    for (const act of ['wheel', 'pointerdown', 'keydown']) addEventListener(act, stop, { once: true })
    return stop
  }, [isThere])
  return end
}

interface SaidProps {
  readonly said: DayOfTalk['texts'][number]
  readonly phones: readonly DeviceListItem[] | undefined
}

function Said({ said: { text, sent, at, isLast }, phones }: SaidProps) {
  return (
    <>
      <Bubble text={text ?? t('Text removed after its retention time')} side={sent === null ? 'in' : 'out'} />
      {isLast && (
        <p class={sent === null ? 'said dim' : 'said dim end'}>
          <time dateTime={at} title={exactWords(at)}>
            {clockWords(at)}
          </time>
          {sent !== null && (
            <>
              {' '}
              <MessageBadge message={sent} />{' '}
              {sent.status === 'queued' && phones !== undefined && (
                <span class="whole">{waitWords(sent, phones, Date.now())}</span>
              )}
            </>
          )}
        </p>
      )}
    </>
  )
}

/** A button for the texts before those that are shown. */
function Earlier({ lists, keepPlace }: { lists: readonly Pages<unknown>[]; keepPlace: () => void }) {
  const left = lists.filter(({ hasMore }) => hasMore)
  if (left.length === 0) return null
  return (
    <>
      {left.map(({ more }, index) => (
        <Fault key={index} error={more.error} />
      ))}
      <button
        type="button"
        disabled={left.some(({ more }) => more.busy)}
        onClick={() => {
          keepPlace()
          for (const list of left) list.showMore()
        }}
      >
        {t('Show earlier texts')}
      </button>
    </>
  )
}

/**
 * Keeps the texts of a conversation where the reader sees them while older ones come in above.
 *
 * @param oldest the key of the first text that is shown
 * @returns to be called before older ones are fetched
 */
function useKeptPlace(oldest: string | undefined): () => void {
  const kept = useRef<{ readonly node: Element; readonly top: number } | null>(null)
  useLayoutEffect(() => {
    if (kept.current === null) return
    const { node, top } = kept.current
    const scroller = node.closest('.beside') ?? window
    scroller.scrollBy(0, node.getBoundingClientRect().top - top)
  }, [oldest])
  return () => {
    const node = document.querySelector('.talk > .bubble')
    kept.current = node === null ? null : { node, top: node.getBoundingClientRect().top }
  }
}
