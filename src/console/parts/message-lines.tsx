import { t } from '#console/language.ts'
import { byDay, delayWords, inOneLine, textAt, textKey } from '#console/message-list.ts'
import { Dotted, exactTitle, useNow, When } from '#console/parts/basics.tsx'
import { EntryLink } from '#console/parts/entry-link.tsx'
import { PhoneNumber } from '#console/parts/phone-number.tsx'
import { Sign, type SignName } from '#console/parts/sign.tsx'
import { linkTo } from '#console/route.ts'
import { isNew } from '#console/seen-texts.ts'
import { clockWords } from '#console/time-words.ts'
import { useQueuePlaces } from '#console/use-forecast.ts'
import { UNKNOWN_SENDER, usePersonNames } from '#console/use-person-names.ts'
import { useResource } from '#console/use-resource.ts'
import { placeWords } from '#console/why-waits.ts'
import { MESSAGE_WORDS, reasonWords } from '#console/words-of-states.ts'
import type { DeviceListItem } from '#contracts/device.ts'
import type { ForecastResource, MessageResource } from '#contracts/message.ts'
import type { TextResource } from '#contracts/texts.ts'

/** Texts with their age, on the page of the phone that they are of. */
export function MessageLines({ messages }: { messages: readonly MessageResource[] }) {
  const names = useNames(messages, true)
  if (messages.length === 0) return null
  return (
    <ul class="list texts">
      {messages.map(message => (
        <Line key={message.messageId} text={message} names={names}>
          <When at={message.createdAt} />
        </Line>
      ))}
    </ul>
  )
}

/** Texts with the time of day, under headings with the days on which they were sent or received. */
export function TextsByDay({ texts }: { texts: readonly TextResource[] }) {
  const now = useNow()
  const names = useNames(texts, false)
  return (
    <>
      {byDay(texts, now).map(({ day, texts }) => (
        <section key={day}>
          <h2 class="day">{day}</h2>
          <ul class="list texts">
            {texts.map(text => (
              <Line key={textKey(text)} text={text} names={names}>
                <time dateTime={textAt(text)} {...exactTitle(textAt(text))}>
                  {clockWords(textAt(text))}
                </time>
              </Line>
            ))}
          </ul>
        </section>
      ))}
    </>
  )
}

interface Names {
  readonly phones: readonly DeviceListItem[] | undefined
  readonly person: (number: string | null) => string | null
  readonly places: ReadonlyMap<string, ForecastResource>
  /** The page says which phone the texts are of. */
  readonly isOfOnePhone: boolean
}

function useNames(texts: readonly TextResource[], isOfOnePhone: boolean): Names {
  const messages = texts.filter(text => 'messageId' in text)
  const phones = useResource<readonly DeviceListItem[]>(messages.length > 0 ? 'devices' : null, ['device'])
  const places = useQueuePlaces(messages, phones.data)
  return { phones: phones.data, person: usePersonNames(texts.length > 0), places, isOfOnePhone }
}

interface LineProps {
  readonly text: TextResource
  readonly names: Names
  /** When it came. */
  readonly children: preact.JSX.Element
}

function Line({ text, names, children }: LineProps) {
  const isSent = 'messageId' in text
  const number = isSent ? text.phoneNumber : (text.from ?? UNKNOWN_SENDER)
  const person = names.person(number)
  const isUnread = !isSent && isNew(number ?? '', text.receivedAt)
  const why = isSent ? exceptionsOf(text, names) : []
  const [sign, word, tone] = isSent ? stateOf(text) : RECEIVED
  return (
    <li>
      <EntryLink href={linkTo(`texts/${encodeURIComponent(isSent ? text.messageId : (number ?? ''))}`)}>
        <Face name={person} />
        <span class="who">
          {person === null ? (
            number === null ? (
              t('Number removed')
            ) : (
              <PhoneNumber number={number} />
            )
          ) : (
            <strong dir="auto">{person}</strong>
          )}
          {isUnread && <span class="badge">{t('New')}</span>}
        </span>
        <span class="one-line" dir="auto">
          {text.message === null ? t('Text removed after its retention time') : inOneLine(text.message)}
        </span>
        <span class="end dim">
          <span class={tone} title={word}>
            <Sign of={sign} />
            <span class="hidden">{word}</span>
          </span>
          {children}
        </span>
        {why.length > 0 && (
          <span class={`about ${tone}`}>
            <Dotted parts={why} />
          </span>
        )}
      </EntryLink>
    </li>
  )
}

const HUES = 360

/** The first letters of a name, so that people are found at a glance. */
function Face({ name }: { name: string | null }) {
  const hue = [...(name ?? '')].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % HUES, 0)
  const initials = (name ?? '').split(/\s+/).map(word => [...word][0] ?? '')
  return (
    <span class={name === null ? 'face plain' : 'face'} style={{ '--h': hue }} aria-hidden="true">
      {name === null ? '#' : `${initials[0]}${initials.length > 1 ? initials.at(-1) : ''}`}
    </span>
  )
}

type State = readonly [sign: SignName, word: string, tone: string]

const RECEIVED: State = ['received', t('Received'), 'next']
const TONES = { queued: 'wait', sending: 'wait', sent: 'dim', delivered: 'dim', failed: 'bad' } as const

/** What a pretend phone took was printed in a terminal, and not sent. */
function stateOf({ status, pretend }: MessageResource): State {
  const isPrinted = pretend && (status === 'sent' || status === 'delivered')
  return isPrinted ? ['printed', t('Only printed'), 'wait'] : [status, MESSAGE_WORDS[status], TONES[status]]
}

/** What is not as usual: why the text failed or waits, or that it took long. */
function exceptionsOf(message: MessageResource, { phones, places, isOfOnePhone }: Names) {
  const { status, failure, deviceId, pretend } = message
  const waiting = { ...message, forecast: places.get(message.messageId) }
  const phone = phones?.find(one => one.deviceId === deviceId)?.name
  return [
    failure !== null && reasonWords(failure.code),
    failure !== null && !isOfOnePhone && phone,
    status === 'queued' && phones !== undefined && placeWords(waiting, phones, Date.now()),
    status === 'sending' && MESSAGE_WORDS.sending,
    pretend && message.sentAt !== null && t('Only printed'),
    message.guess && t('unknown format'),
    delayWords(message),
  ].filter(part => Boolean(part))
}
