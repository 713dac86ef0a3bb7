import * as v from 'valibot'
import { PAGE_SIZE_DEFAULT } from '#contracts/bounds.ts'
import type { MessageResource } from '#contracts/message.ts'
import { noted } from '#contracts/noted.ts'
import { DeviceId, MESSAGE_KINDS, MESSAGE_STATUSES, Time, WebhookId } from '#contracts/primitives.ts'
import type { Principal } from '#domain/account/principal.ts'
import { describeMessage } from '#domain/message/describe-message.ts'
import { CSV_COLUMNS } from '#domain/message/message-fields.ts'
import type { MessageFilter, MessageSlice } from '#domain/message/message-reader.ts'
import { readSearch } from '#domain/message/search.ts'
import { parseUnchecked } from '#domain/phone-number/parse-phone-number.ts'
import { instantOrNull } from '#domain/time.ts'
import { Validation } from '#transport/http/body.ts'
import { type Cell, csvAnswer, pageByPage, TABLE_PAGE_ROWS } from '#transport/http/csv.ts'
import {
  encodeCursor,
  LIST_FIELDS,
  queryOf,
  readCursor,
  SEARCH_NOTE,
  Search,
} from '#transport/http/list-query.ts'
import { DEVICE_ID, PHONE_NUMBER, TIME, WEBHOOK_ID } from '#transport/http/openapi/example-values.ts'
import { readQuery } from '#transport/http/read-fields.ts'
import type { Answer, AuthorizedCall } from '#transport/http/route.ts'
import type { RoutePorts } from '#transport/http/route-ports.ts'

type ListPorts = Pick<RoutePorts, 'messages' | 'numbers' | 'searches' | 'defaultCountry'>

export const MessageListQuery = v.object({
  status: noted(
    v.optional(v.picklist(MESSAGE_STATUSES, `must be one of ${MESSAGE_STATUSES.join(', ')}`)),
    'List only entries with this status.',
  ),
  deviceId: noted(v.optional(DeviceId), 'List only entries of this phone.', DEVICE_ID),
  phoneNumber: noted(
    v.optional(v.string()),
    'List only messages to this number. The + may be written as + or as %2B.',
    PHONE_NUMBER,
  ),
  kind: noted(
    v.optional(v.picklist(MESSAGE_KINDS, `must be one of ${MESSAGE_KINDS.join(', ')}`)),
    'List only messages of this kind.',
    'sms',
  ),
  webhookId: noted(v.optional(WebhookId), 'List only alerts of this webhook.', WEBHOOK_ID),
  reason: noted(
    v.optional(v.pipe(v.string(), v.regex(/^[A-Z][A-Z0-9_]{0,63}$/, 'must be a code like NO_SERVICE'))),
    'List only messages that failed with this code.',
    'NO_SERVICE',
  ),
  failedSince: noted(
    v.optional(Time),
    'List only messages that failed at this time or later; ISO 8601 in UTC.',
    TIME,
  ),
  q: noted(v.optional(Search), `${SEARCH_NOTE} The id of a message finds that message.`, 'backup'),
  test: noted(
    v.optional(v.picklist(['true', 'false'], 'must be true or false')),
    '`true` lists sandbox messages. Only for account tokens and sessions: an API key lists its own mode.',
    'true',
  ),
  ...LIST_FIELDS,
})

/** The same filters for a whole list. */
export const MessageTableQuery = v.omit(MessageListQuery, ['limit', 'cursor'])

/** Answers a page of the list of messages. */
export function listMessages(ports: ListPorts, call: AuthorizedCall) {
  const searchedId = readQuery(call.rawQuery).get('q')
  const filter = readFilter(ports, call)
  const found =
    searchedId === null ? undefined : ports.messages.find(filter.accountId, filter.test, searchedId)
  if (found !== undefined) return answerOf(ports, { messages: [found], next: null, lookedBackTo: null })
  const list = () => answerOf(ports, ports.messages.list(filter))
  const { searches } = ports
  return filter.search === null ? searches.take(filter.accountId, list) : searches.run(filter.accountId, list)
}

/** Answers the whole list of messages as a table. */
export function tableOfMessages(ports: ListPorts, call: AuthorizedCall): Promise<Answer> {
  const filter = readFilter(ports, call, true)
  const pages = pageByPage((before: number | null) =>
    ports.searches.take(filter.accountId, () => {
      const { messages, next } = ports.messages.list({ ...filter, before, limit: TABLE_PAGE_ROWS })
      const described = messages.map(message => describeMessage(message, ports.messages.isPretend))
      return { rows: described.map(rowOfMessage), next }
    }),
  )
  return csvAnswer('texts.csv', CSV_COLUMNS, pages)
}

/** A message in the columns of a table. */
export function rowOfMessage(message: MessageResource): readonly Cell[] {
  return CSV_COLUMNS.map(name => cellOf(message[name]))
}

function cellOf(value: MessageResource[(typeof CSV_COLUMNS)[number]]): Cell {
  return typeof value === 'object' ? (value?.code ?? null) : value
}

function answerOf(ports: ListPorts, { messages, next, lookedBackTo }: Omit<MessageSlice, 'places'>) {
  const page = { nextCursor: encodeCursor(next), lookedBackTo: instantOrNull(lookedBackTo) }
  return { data: messages.map(one => describeMessage(one, ports.messages.isPretend)), page }
}

function readFilter(ports: ListPorts, call: AuthorizedCall, isWhole = false): MessageFilter {
  const validation = new Validation()
  const given = queryOf(call, isWhole)
  const parsed = validation.parseQuery(MessageListQuery, given)
  const before = readCursor(validation, given, place => /^\d{1,16}$/.test(place))
  const phoneNumber = readNumber(ports, validation, given.get('phoneNumber'))
  const query = validation.complete(parsed)
  return {
    accountId: call.principal.accountId,
    test: listsSandbox(call.principal, query.test),
    status: query.status ?? null,
    deviceId: query.deviceId ?? null,
    phoneNumber,
    kind: query.kind ?? null,
    webhookId: query.webhookId ?? null,
    reason: query.reason ?? null,
    failedSince: query.failedSince ?? null,
    search: query.q === undefined ? null : readSearch(query.q, ports.defaultCountry()),
    since: query.since ?? null,
    until: query.until ?? null,
    before: before === null ? null : Number(before),
    limit: query.limit ?? PAGE_SIZE_DEFAULT,
  }
}

/** Whether to list sandbox messages. A key lists those of its own mode; a person chooses with `test`. */
function listsSandbox({ by, test }: Principal, given: 'true' | 'false' | undefined): boolean {
  return by === 'key' ? test : given === 'true'
}

function readNumber(ports: ListPorts, validation: Validation, given: string | null): string | null {
  if (given === null) return null
  // A + that was not percent-encoded arrives as a space.
  const written = given.replace(/^ /, '+')
  const number = ports.numbers.parse(written) ?? parseUnchecked(written)
  if (number !== null) return number.e164
  validation.add('phoneNumber', 'is not a possible number: write it like %2B14155550123')
  return null
}
