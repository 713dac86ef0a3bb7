import { t } from '#console/language.ts'
import { byDay, delayWords, inOneLine } from '#console/message-list.ts'
import { Dotted, exactTitle, useNow, When } from '#console/parts/basics.tsx'
import { EntryLink } from '#console/parts/entry-link.tsx'
import { MessageBadge } from '#console/parts/message-badge.tsx'
import { PhoneNumber } from '#console/parts/phone-number.tsx'
import { clockWords } from '#console/time-words.ts'
import { useQueuePlaces } from '#console/use-forecast.ts'
import { type NameThing, useWebhookNames } from '#console/use-names.ts'
import { usePersonNames } from '#console/use-person-names.ts'
import { useResource } from '#console/use-resource.ts'
import { isScheduled, placeWords } from '#console/why-waits.ts'
import { reasonWords } from '#console/words-of-states.ts'
import type { DeviceListItem } from '#contracts/device.ts'
import type { ForecastResource, MessageResource } from '#contracts/message.ts'

interface LinesProps {
  readonly messages: readonly MessageResource[]
}

/** Messages with their age. `isOfOnePhone`: the page says which phone they are of. */
export function MessageLines({ messages, isOfOnePhone = false }: LinesProps & { isOfOnePhone?: boolean }) {
  const names = useNames(messages)
  if (messages.length === 0) return null
  return (
    <ul class="list texts">
      {messages.map(message => (
        <Line key={message.messageId} message={message} names={names} isOfOnePhone={isOfOnePhone}>
          <When at={message.createdAt} />
        </Line>
      ))}
    </ul>
  )
}

/** Messages with the time of day, under headings with the days on which they were sent. */
export function MessagesByDay({ messages }: LinesProps) {
  const now = useNow()
  const names = useNames(messages)
  return (
    <>
      {byDay(messages, now).map(({ day, messages }) => (
        <section key={day} aria-label={day}>
          <h2 class="day">{day}</h2>
          <ul class="list texts">
            {messages.map(message => (
              <Line key={message.messageId} message={message} names={names}>
                <time dateTime={message.createdAt} {...exactTitle(message.createdAt)}>
                  {clockWords(message.createdAt)}
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
  readonly webhook: NameThing
  readonly phones: readonly DeviceListItem[] | undefined
  readonly person: (number: string | null) => string | null
  readonly places: ReadonlyMap<string, ForecastResource>
}

function useNames(messages: readonly MessageResource[]): Names {
  const webhook = useWebhookNames(messages.map(({ webhookId }) => webhookId))
  const phones = useResource<readonly DeviceListItem[]>(messages.length > 0 ? 'devices' : null, ['device'])
  const places = useQueuePlaces(messages, phones.data)
  return { webhook, phones: phones.data, person: usePersonNames(messages.length > 0), places }
}

interface LineProps {
  readonly message: MessageResource
  readonly names: Names
  readonly isOfOnePhone?: boolean
  /** When it was accepted. */
  readonly children: preact.JSX.Element
}

function Line({ message, names, isOfOnePhone = false, children }: LineProps) {
  const webhook = names.webhook(message.webhookId)
  const person = names.person(message.phoneNumber)
  const number = message.phoneNumber === null ? null : <PhoneNumber number={message.phoneNumber} />
  const { why, how } = factsOf(message, names, isOfOnePhone)
  const format = message.guess && t('unknown format')
  const parts = [...why, person !== null && number, webhook, format, ...how].filter(part => Boolean(part))
  return (
    <li>
      <EntryLink href={`#/messages/${message.messageId}`}>
        <span class="who">
          {person === null ? (number ?? t('Number removed')) : <strong dir="auto">{person}</strong>}
        </span>
        <MessageBadge message={message} isCalm />
        <span class="one-line" dir="auto">
          {message.message === null ? t('Text removed after its retention time') : inOneLine(message.message)}
        </span>
        <span class="dim end">{children}</span>
        <span class="dim about">{parts.length > 0 && <Dotted parts={parts} />}</span>
      </EntryLink>
    </li>
  )
}

/** Why the text failed or waits, its phone, and how long it took. */
function factsOf(message: MessageResource, { phones, places }: Names, isOfOnePhone: boolean) {
  const { status, failure, deviceId, pretend } = message
  const now = Date.now()
  const waiting = { ...message, forecast: places.get(message.messageId) }
  const why = [
    failure !== null && reasonWords(failure.code),
    status === 'queued' && phones !== undefined && placeWords(waiting, phones, now),
  ]
  const phone = phones?.find(one => one.deviceId === deviceId)?.name
  const known = deviceId === null || phones === undefined ? null : (phone ?? t('a phone that was removed'))
  // Why a text waits names its phone already.
  const isKnown = pretend || isOfOnePhone || (status === 'queued' && !isScheduled(message, now))
  return { why, how: [isKnown ? null : known, delayWords(message)] }
}
