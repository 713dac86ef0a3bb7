import type { ReceivedMessage } from '#domain/inbox/inbox-store.ts'
import type { SearchedText } from '#domain/message/search.ts'

/** A received text without the fields that only the writer needs. */
export type ReceivedText = Omit<ReceivedMessage, 'accountId' | 'phoneMessageId'>

/** Which received texts a list shows. */
export interface InboxFilter {
  readonly accountId: string
  /** Spellings of one sender, any of which matches; null: every sender. */
  readonly from: { readonly asWritten: string; readonly asNumber: string } | null
  readonly deviceId: string | null
  /** What the text and the sender contain. */
  readonly search: SearchedText | null
  /** Wall clock, both included. */
  readonly since: number | null
  readonly until: number | null
  /** Only texts older than the text with this id. */
  readonly before: string | null
  readonly limit: number
}

export interface InboxPage {
  /** Newest first. */
  readonly received: readonly ReceivedText[]
  /** Where the next page begins; null: this is the last page. A short page may still have a next one. */
  readonly next: string | null
  /** As in `MessageSlice`. */
  readonly lookedBackTo: number | null
}

export interface InboxCount {
  readonly all: number
  /** There may be more, which were not read. */
  readonly isMore: boolean
}

/** Reads received texts that retention has not cleared yet. */
export interface InboxReader {
  find(accountId: string, id: string): ReceivedText | undefined
  list(filter: InboxFilter): InboxPage
  /** How many texts match, of those that one page would read. */
  count(filter: InboxFilter): InboxCount
}
