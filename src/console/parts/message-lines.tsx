import { byDay } from '#console/message-list.ts'
import { MessageStatus, useNow, When } from '#console/parts/basics.tsx'
import type { MessageResource } from '#contracts/message.ts'

export function MessageLines({ messages }: { messages: readonly MessageResource[] }) {
  if (messages.length === 0) return null
  return (
    <ul class="list texts">
      {messages.map(message => (
        <li key={message.messageId}>
          <a href={`#/messages/${message.messageId}`}>
            <strong>{message.phoneNumber ?? 'Number removed'}</strong>
            <MessageStatus status={message.status} />
            <span class="one-line">{message.message ?? 'Text removed after its retention time'}</span>
            <span class="dim end">
              <When at={message.createdAt} />
            </span>
          </a>
        </li>
      ))}
    </ul>
  )
}

/** Messages under headings with the days on which they were sent. */
export function MessagesByDay({ messages }: { messages: readonly MessageResource[] }) {
  const now = useNow()
  return (
    <>
      {byDay(messages, now).map(({ day, messages }) => (
        <section key={day} aria-label={day}>
          <h2 class="day">{day}</h2>
          <MessageLines messages={messages} />
        </section>
      ))}
    </>
  )
}
