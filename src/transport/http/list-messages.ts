import * as v from 'valibot'
import { PAGE_SIZE_DEFAULT } from '#contracts/bounds.ts'
import { noted } from '#contracts/noted.ts'
import { DeviceId, MESSAGE_KINDS, MESSAGE_STATUSES, WebhookId } from '#contracts/primitives.ts'
import type { Principal } from '#domain/account/principal.ts'
import { describeMessage } from '#domain/message/describe-message.ts'
import type { MessageFilter, MessageReader } from '#domain/message/message-reader.ts'
import type { PhoneNumberCache } from '#domain/phone-number/phone-number-cache.ts'
import { instantOrNull } from '#domain/time.ts'
import { Validation } from '#transport/http/body.ts'
import { encodeCursor, LIST_FIELDS, readCursor, Search } from '#transport/http/list-query.ts'
import { DEVICE_ID, PHONE_NUMBER, WEBHOOK_ID } from '#transport/http/openapi/example-values.ts'
import type { AuthorizedCall } from '#transport/http/route.ts'
import type { SearchTurns } from '#transport/http/search-turns.ts'

export interface ListPorts {
  readonly messages: MessageReader
  readonly numbers: PhoneNumberCache
  readonly searches: SearchTurns
}

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
  q: noted(
    v.optional(Search),
    'List only entries whose text, phone number or sender’s name contains these 1 to 100 characters.',
    'backup',
  ),
  test: noted(
    v.optional(v.picklist(['true', 'false'], 'must be true or false')),
    '`true` lists sandbox messages. Only for account tokens and sessions: an API key lists its own mode.',
    'true',
  ),
  ...LIST_FIELDS,
})

/** Answers a page of the list of messages. */
export function listMessages(ports: ListPorts, call: AuthorizedCall) {
  const filter = readFilter(ports, call)
  const list = () => answerOf(ports, filter)
  return filter.search === null ? list() : ports.searches.run(filter.accountId, list)
}

function answerOf(ports: ListPorts, filter: MessageFilter) {
  const { messages, next, lookedBackTo } = ports.messages.list(filter)
  const page = { nextCursor: encodeCursor(next), lookedBackTo: instantOrNull(lookedBackTo) }
  return { data: messages.map(one => describeMessage(one, ports.messages.isPretend)), page }
}

function readFilter(ports: ListPorts, call: AuthorizedCall): MessageFilter {
  const validation = new Validation()
  const given = new URLSearchParams(call.rawQuery)
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
    search: query.q ?? null,
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
  const number = ports.numbers.parse(given.replace(/^ /, '+'))
  if (number !== null) return number.e164
  validation.add('phoneNumber', 'is not a possible number: write it like %2B14155550123')
  return null
}
