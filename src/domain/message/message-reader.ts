import type { MessageKind, MessageStatus } from '#contracts/primitives.ts'
import type { Message } from '#domain/message/message.ts'
import type { CallName } from '#domain/message/message-store.ts'
import type { SearchedText } from '#domain/message/search.ts'

/** Which messages a list shows. */
export interface MessageFilter {
  readonly accountId: string
  readonly test: boolean
  /** `waiting`: queued or sending. */
  readonly status: MessageStatus | 'waiting' | null
  readonly deviceId: string | null
  /** E.164. */
  readonly phoneNumber: string | null
  readonly kind: MessageKind | null
  readonly webhookId: string | null
  /** The code of its failure. */
  readonly reason: string | null
  /** Wall clock: it failed at this time or later. */
  readonly failedSince: number | null
  /** What the text and the number contain. */
  readonly search: SearchedText | null
  /** Wall clock, both included. */
  readonly since: number | null
  readonly until: number | null
  /** Only messages older than this position, which is the `next` of the previous page. */
  readonly before: number | null
  readonly limit: number
}

/** All messages of an account, the newest first. */
export const ANY_MESSAGE: Omit<MessageFilter, 'accountId' | 'test' | 'limit'> = {
  status: null,
  deviceId: null,
  phoneNumber: null,
  kind: null,
  webhookId: null,
  reason: null,
  failedSince: null,
  search: null,
  since: null,
  until: null,
  before: null,
}

export interface MessageSlice {
  /** Newest first. */
  readonly messages: readonly Message[]
  /** The position of each. */
  readonly places: readonly number[]
  /** Where the next page begins; null: this is the last page. A short page may still have a next one. */
  readonly next: number | null
  /** The search read all messages back to this wall-clock time. Null: it read the whole list. */
  readonly lookedBackTo: number | null
}

export interface MessageCount {
  readonly all: number
  /** Of these, queued or sending. */
  readonly waiting: number
  readonly failed: number
  /** There may be more, which were not read. */
  readonly isMore: boolean
}

/** Messages, for reading. */
export interface MessageReader {
  find(accountId: string, test: boolean, id: string): Message | undefined
  list(filter: MessageFilter): MessageSlice
  /** How many of the account's newest 10,000 messages match; of a search, those that one page would read. */
  count(filter: MessageFilter): MessageCount
  /** The messages accepted under this call name, in the order of the call; empty: no call has the name. */
  findCall(call: CallName): readonly Message[]
  /** The name of the call that a message belongs to; null: the call has none. */
  callNameOf(messageId: string): string | null
  /** Whether a device, also a removed one, is a pretend phone. */
  isPretend(deviceId: string): boolean
}
