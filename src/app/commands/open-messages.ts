import { readPages } from '#app/commands/read-pages.ts'
import type { MessageResource } from '#contracts/message.ts'
import { describeMessage } from '#domain/message/describe-message.ts'
import type { MessageFilter } from '#domain/message/message-reader.ts'
import { notFound } from '#domain/problem.ts'
import { openReadOnly } from '#storage/database.ts'
import { openMessageReader } from '#storage/message-reader.ts'

/** Reads the messages of a database directly, without the writer. */
export interface MessageFile {
  /** @throws Problem NOT_FOUND */
  find(which: { readonly accountId: string; readonly messageId: string }): MessageResource
  /** Newest first. */
  list(filter: MessageFilter): MessageResource[]
  close(): void
}

export function openMessages(file: string): MessageFile {
  const database = openReadOnly(file)
  const reader = openMessageReader(database)
  return {
    find({ accountId, messageId }) {
      const message = reader.find(accountId, false, messageId) ?? reader.find(accountId, true, messageId)
      if (message === undefined) throw notFound('message')
      return describeMessage(message, reader.isPretend)
    },
    list: filter =>
      readPages(filter, page => {
        const { messages, next } = reader.list({ ...filter, ...page })
        return { items: messages.map(message => describeMessage(message, reader.isPretend)), next }
      }),
    close: () => database.close(),
  }
}
