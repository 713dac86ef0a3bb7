import { readPages } from '#app/commands/read-pages.ts'
import type { ReceivedResource } from '#contracts/inbox.ts'
import { describeReceived } from '#domain/inbox/describe-received.ts'
import type { InboxFilter } from '#domain/inbox/inbox-reader.ts'
import { parsePhoneNumber } from '#domain/phone-number/parse-phone-number.ts'
import { openReadOnly } from '#storage/database.ts'
import { openInboxReader } from '#storage/inbox-reader.ts'

/** Reads the received texts of a database directly, without the writer. */
export interface Inbox {
  /** Newest first. */
  list(filter: InboxFilter): ReceivedResource[]
  close(): void
}

export function openInbox(file: string): Inbox {
  const database = openReadOnly(file)
  const reader = openInboxReader(database)
  return {
    list: filter =>
      readPages(filter, page => {
        const { received, next } = reader.list({ ...filter, ...page })
        return { items: received.map(describeReceived), next }
      }),
    close: () => database.close(),
  }
}

/** The filter for a sender: a phone number in any spelling, or a name. */
export function senderOf(written: string): NonNullable<InboxFilter['from']> {
  return { asWritten: written, asNumber: parsePhoneNumber(written)?.e164 ?? written }
}
