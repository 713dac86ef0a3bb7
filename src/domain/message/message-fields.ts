/**
 * The fields of a message as a table, in the order of the API's answers. The row in which a send crosses
 * threads, the columns of the database, what retention wipes, the answers and the CSV are made from it.
 * `NewMessage` has the fields that a maker chooses, `MessageResource` says what the answers are.
 */
import * as v from 'valibot'
import { NewMessage } from '#contracts/message.ts'
import type { Message } from '#domain/message/message.ts'
import { segmentsOf } from '#domain/message/segments.ts'

export interface MessageField {
  /**
   * When its column is written. `first`: with the row. `changes`: at each change. `both`: both. `rarely`:
   * after the row by a statement of its own, unless it is null or false, because each value of a row makes a
   * send slower; nor does it cross threads in the row of a send. Absent: it has no column.
   */
  readonly column?: 'first' | 'changes' | 'both' | 'rarely'
  /** How the column keeps it. Absent: as it is. */
  readonly as?: 'flag' | 'json' | 'timeline'
  /** Whether it is a time, which answers have as ISO 8601. */
  readonly isTime?: true
  /** What retention leaves of it. An answer then has null. */
  readonly wiped?: '' | null
  /** Whether answers have it, or its name there. */
  readonly answer?: boolean | string
}

export const MESSAGE_FIELDS: {
  readonly [K in keyof Message | keyof NewMessage | 'pretend']: MessageField
} = {
  id: { column: 'first', answer: 'messageId' },
  status: { column: 'changes', answer: true },
  kind: { column: 'first', answer: true },
  phoneNumber: { column: 'first', wiped: '', answer: true },
  text: { column: 'both', wiped: '', answer: 'message' },
  deviceId: { column: 'both', answer: true },
  deviceGroupId: { column: 'rarely', answer: true },
  /** Each answer works it out. */
  pretend: { answer: true },
  webhookId: { column: 'rarely', answer: true },
  guess: { column: 'rarely', as: 'flag', answer: true },
  segments: { column: 'first', answer: true },
  encoding: { column: 'first', answer: true },
  createdAt: { column: 'first', isTime: true, answer: true },
  sendAt: { column: 'first', isTime: true, answer: true },
  sentAt: { column: 'changes', isTime: true, answer: true },
  deliveredAt: { column: 'changes', isTime: true, answer: true },
  expiresAt: { column: 'first', isTime: true, answer: true },
  failure: { column: 'changes', as: 'json', answer: true },
  timeline: { column: 'changes', as: 'timeline', answer: true },

  accountId: { column: 'first' },
  test: { column: 'first', as: 'flag' },
  country: { column: 'first' },
  priority: { column: 'first' },
  simSlot: { column: 'first' },
  pinned: { column: 'first', as: 'flag' },
  notificationUrl: { column: 'first', wiped: null },
  despiteOptOut: { column: 'rarely', as: 'flag' },
  attempt: { column: 'changes' },
  notBefore: { column: 'changes' },
  ttlMs: {},
  queueIfOffline: {},
}

/** The columns of the CSV, by the names in answers. Of a failure it has the code. */
export const CSV_COLUMNS = [
  'messageId',
  'createdAt',
  'status',
  'failure',
  'kind',
  'phoneNumber',
  'message',
  'deviceId',
  'webhookId',
  'segments',
  'sendAt',
  'sentAt',
  'deliveredAt',
] as const

const NEW_NAMES = Object.keys(NewMessage.entries) as (keyof NewMessage)[]
const isRare = (name: keyof NewMessage) => MESSAGE_FIELDS[name].column === 'rarely'
/** The fields of a new message that the row of a send has, in this order, and those that it has not. */
export const ROW_NAMES = NEW_NAMES.filter(name => !isRare(name))
export const RARE_NAMES = NEW_NAMES.filter(isRare)

/** A new message whose maker has said nothing. Copies of it get their fields fast. */
export const NOTHING_SAID = v.getDefaults(NewMessage)

type Needed = Pick<NewMessage, 'accountId' | 'phoneNumber' | 'country' | 'text'>

/** A message to send: what its maker does not say is as for a caller who said nothing. */
export function plainText(chosen: Needed & Partial<NewMessage>): NewMessage {
  return { ...NOTHING_SAID, ...segmentsOf(chosen.text), ...chosen }
}
