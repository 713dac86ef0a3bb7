import { MessageStatus, When } from '#console/parts/basics.tsx'
import type { MessageResource } from '#contracts/message.ts'

export function MessageLines({ messages }: { messages: readonly MessageResource[] }) {
  if (messages.length === 0) return null
  return (
    <ul class="list">
      {messages.map(message => (
        <li key={message.messageId}>
          <a href={`#/messages/${message.messageId}`}>
            <strong>{message.phoneNumber ?? 'Number removed'}</strong>
            <MessageStatus status={message.status} />
            <span class="one-line">{message.message ?? 'Text removed after its time'}</span>
            <span class="dim end">
              <When at={message.createdAt} />
            </span>
          </a>
        </li>
      ))}
    </ul>
  )
}
