import { t } from '#console/language.ts'
import { byDay, delayWords } from '#console/message-list.ts'
import { Dotted, Mark, MessageBadge, useNow, When } from '#console/parts/basics.tsx'
import { EntryLink } from '#console/parts/entry-link.tsx'
import { clockWords, exactWords } from '#console/time-words.ts'
import { type NameThing, useWebhookNames } from '#console/use-names.ts'
import { useResource } from '#console/use-resource.ts'
import { waitsFor } from '#console/why-waits.ts'
import { reasonWords } from '#console/words.ts'
import type { DeviceListItem } from '#contracts/device.ts'
import type { MessageResource } from '#contracts/message.ts'

interface LinesProps {
  readonly messages: readonly MessageResource[]
}

/** Messages with their age. */
export function MessageLines({ messages }: LinesProps) {
  const names = useNames(messages)
  if (messages.length === 0) return null
  return (
    <ul class="list texts">
      {messages.map(message => (
        <Line key={message.messageId} message={message} names={names}>
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
                <time dateTime={message.createdAt} title={exactWords(message.createdAt)}>
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
}

function useNames(messages: readonly MessageResource[]): Names {
  const webhook = useWebhookNames(messages.map(({ webhookId }) => webhookId))
  const phones = useResource<readonly DeviceListItem[]>(messages.length > 0 ? 'devices' : null, ['device'])
  return { webhook, phones: phones.data }
}

interface LineProps {
  readonly message: MessageResource
  readonly names: Names
  /** When it was accepted. */
  readonly children: preact.JSX.Element
}

function Line({ message, names, children }: LineProps) {
  const webhook = names.webhook(message.webhookId)
  const facts = factsOf(message, names.phones)
  return (
    <li>
      <EntryLink href={`#/messages/${message.messageId}`}>
        <strong class="number">{message.phoneNumber ?? t('Number removed')}</strong>
        <MessageBadge message={message} />
        <span class="one-line">
          {webhook !== null && (
            <>
              <span class="tag">{webhook}</span>{' '}
            </>
          )}
          {message.guess && (
            <>
              <Mark tone="wait" mark="?" word={t('A guess')} />{' '}
            </>
          )}
          {message.message ?? t('Text removed after its retention time')}
        </span>
        <span class="dim end">{children}</span>
        <span class="dim about">{facts.length > 0 && <Dotted parts={facts} />}</span>
      </EntryLink>
    </li>
  )
}

/** Why the text failed or waits, its phone, and how long it took. */
function factsOf(message: MessageResource, phones: Names['phones']): string[] {
  const { status, failure, deviceId, pretend, sendAt } = message
  const isScheduled = status === 'queued' && Date.parse(sendAt ?? '') > Date.now()
  const why = [
    failure !== null && reasonWords(failure.code),
    isScheduled && t('leaves {time}', { time: exactWords(sendAt ?? '') }),
    status === 'queued' && !isScheduled && phones !== undefined && waitsFor(phones, deviceId),
  ]
  const phone = phones?.find(one => one.deviceId === deviceId)?.name
  const known = deviceId === null || phones === undefined ? null : (phone ?? t('a phone that was removed'))
  return [...why, pretend ? null : known, delayWords(message)].filter(fact => typeof fact === 'string')
}
