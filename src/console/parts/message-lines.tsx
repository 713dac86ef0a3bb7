import { byDay } from '#console/message-list.ts'
import { MessageBadge, useNow, When } from '#console/parts/basics.tsx'
import { clockWords, exactWords } from '#console/time-words.ts'
import { type NameWebhook, useWebhookNames } from '#console/use-webhook-names.ts'
import type { MessageResource } from '#contracts/message.ts'

interface LinesProps {
  readonly messages: readonly MessageResource[]
}

/** Messages with their age. */
export function MessageLines({ messages }: LinesProps) {
  const nameOf = useWebhookNames(messages.map(({ webhookId }) => webhookId))
  if (messages.length === 0) return null
  return (
    <ul class="list texts">
      {messages.map(message => (
        <Line key={message.messageId} message={message} nameOf={nameOf}>
          <When at={message.createdAt} />
        </Line>
      ))}
    </ul>
  )
}

/** Messages with the time of day, under headings with the days on which they were sent. */
export function MessagesByDay({ messages }: LinesProps) {
  const now = useNow()
  const nameOf = useWebhookNames(messages.map(({ webhookId }) => webhookId))
  return (
    <>
      {byDay(messages, now).map(({ day, messages }) => (
        <section key={day} aria-label={day}>
          <h2 class="day">{day}</h2>
          <ul class="list texts">
            {messages.map(message => (
              <Line key={message.messageId} message={message} nameOf={nameOf}>
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

interface LineProps {
  readonly message: MessageResource
  readonly nameOf: NameWebhook
  /** When it was accepted. */
  readonly children: preact.JSX.Element
}

function Line({ message, nameOf, children }: LineProps) {
  const webhook = nameOf(message.webhookId)
  return (
    <li>
      <a href={`#/messages/${message.messageId}`}>
        <strong class="number">{message.phoneNumber ?? 'Number removed'}</strong>
        <MessageBadge message={message} />
        <span class="one-line">
          {webhook !== null && <span class="tag">{webhook}</span>}
          {message.message ?? 'Text removed after its retention time'}
        </span>
        <span class="dim end">{children}</span>
      </a>
    </li>
  )
}
