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
    list(filter) {
      const found: ReceivedResource[] = []
      let before = filter.before
      // A page may have fewer entries than asked for although more pages follow.
      do {
        const { received, next } = reader.list({ ...filter, before, limit: filter.limit - found.length })
        found.push(...received.map(describeReceived))
        before = next
      } while (before !== null && found.length < filter.limit)
      return found
    },
    close: () => database.close(),
  }
}

/** The filter for a sender: a phone number in any spelling, or a name. */
export function senderOf(written: string): NonNullable<InboxFilter['from']> {
  return { asWritten: written, asNumber: parsePhoneNumber(written)?.e164 ?? written }
}
