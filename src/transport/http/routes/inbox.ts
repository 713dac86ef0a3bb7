import * as v from 'valibot'
import { PAGE_SIZE_DEFAULT } from '#contracts/bounds.ts'
import { ReceivedId, ReceivedResource } from '#contracts/inbox.ts'
import { noted } from '#contracts/noted.ts'
import { DeviceId } from '#contracts/primitives.ts'
import { describeReceived } from '#domain/inbox/describe-received.ts'
import type { InboxFilter, InboxPage } from '#domain/inbox/inbox-reader.ts'
import { readSearch } from '#domain/message/search.ts'
import type { PhoneNumberCache } from '#domain/phone-number/phone-number-cache.ts'
import { notFound } from '#domain/problem.ts'
import { csvAnswer, pageByPage, TABLE_PAGE_ROWS } from '#transport/http/csv.ts'
import { type KnownRoute, knownRoutes } from '#transport/http/known-routes.ts'
import { encodeCursor, LIST_FIELDS, readList, SEARCH_NOTE, Search } from '#transport/http/list-query.ts'
import { DEVICE_ID, TIME } from '#transport/http/openapi/example-values.ts'
import type { AuthorizedCall, Route } from '#transport/http/route.ts'
import type { RoutePorts } from '#transport/http/route-ports.ts'

type InboxPorts = Pick<RoutePorts, 'inbox' | 'numbers' | 'searches' | 'defaultCountry'>

const RECEIVED = {
  id: 'rcv_01KG9V0E7M4T0JH0Q4W2Z9R3XB',
  from: '+14155550144',
  message: 'Yes, come at nine.',
  receivedAt: TIME,
  sentAt: TIME,
  deviceId: DEVICE_ID,
  simSlot: 1,
}

/** Routes for received texts. A sandbox key sees none, because the sandbox receives no texts. */
export function inboxRoutes(ports: InboxPorts): Route[] {
  return knownRoutes({ tag: 'received', access: 'key', role: 'viewer' }, [
    {
      method: 'get',
      path: '/api/v1/received',
      operation: {
        id: 'listReceived',
        summary: 'List received texts, newest first',
        description:
          'Texts that the phones received, kept for `messages.retention_days`. Pages work as in the list ' +
          'of messages. A sandbox key gets an empty list.',
        query: ListQuery,
        response: v.array(ReceivedResource),
        example: { data: [RECEIVED] },
      },
      handle: call => {
        const filter = readFilter(ports, call)
        const list = () => answerOf(call.principal.test ? NOTHING : ports.inbox.list(filter))
        const { accountId, search } = filter
        return search === null ? ports.searches.take(accountId, list) : ports.searches.run(accountId, list)
      },
    },
    exportRoute(ports),
    {
      method: 'get',
      path: '/api/v1/received/{id}',
      operation: {
        id: 'getReceived',
        summary: 'A received text',
        description:
          '404: the account has received no text with this id, or the text was older than ' +
          '`messages.retention_days` and was deleted.',
        parameters: {
          id: {
            description: 'Id of the received text, from the list or the event `sms.received`.',
            example: RECEIVED.id,
          },
        },
        response: ReceivedResource,
        example: { data: RECEIVED },
      },
      handle: ({ principal, parameters }) => {
        const { accountId, test } = principal
        const received = test ? undefined : ports.inbox.find(accountId, parameters[0] ?? '')
        if (received === undefined) throw notFound('received text')
        return { data: describeReceived(received) }
      },
    },
  ])
}

/** The route of the whole list as a table. */
function exportRoute(ports: InboxPorts): KnownRoute {
  return {
    method: 'get',
    path: '/api/v1/received.csv',
    operation: {
      id: 'exportReceived',
      summary: 'All received texts of a list as CSV',
      description:
        'The whole list with the same filters, newest first, as RFC 4180 in UTF-8. A text that a ' +
        'spreadsheet would take for a formula begins with an apostrophe.',
      query: v.omit(ListQuery, ['limit', 'cursor']),
      response: v.string(),
      bare: 'text/csv',
      example: { data: `id,receivedAt,from\r\n${RECEIVED.id},${TIME},${RECEIVED.from}\r\n` },
    },
    handle: call => csvAnswer('received.csv', HEADINGS, pagesOf(ports, call)),
  }
}

const HEADINGS = ['id', 'receivedAt', 'from', 'message', 'deviceId', 'simSlot', 'sentAt'] as const

function pagesOf(ports: InboxPorts, call: AuthorizedCall) {
  const filter = readFilter(ports, call, true)
  return pageByPage((before: string | null) =>
    ports.searches.take(filter.accountId, () => {
      const page = { ...filter, before, limit: TABLE_PAGE_ROWS }
      const { received, next } = call.principal.test ? NOTHING : ports.inbox.list(page)
      const rows = received.map(describeReceived).map(one => HEADINGS.map(heading => one[heading]))
      return { rows, next }
    }),
  )
}

function answerOf({ received, next }: InboxPage) {
  return { data: received.map(describeReceived), page: { nextCursor: encodeCursor(next) } }
}

const NOTHING: InboxPage = { received: [], next: null, lookedBackTo: null }

const ListQuery = v.object({
  from: noted(v.optional(v.string()), 'List only texts from this sender: a number or a name.', RECEIVED.from),
  deviceId: noted(v.optional(DeviceId), 'List only entries of this phone.', DEVICE_ID),
  q: noted(v.optional(Search), SEARCH_NOTE, 'backup'),
  ...LIST_FIELDS,
})

function readFilter(ports: InboxPorts, call: AuthorizedCall, isWhole = false): InboxFilter {
  const { numbers, defaultCountry } = ports
  const isPlace = (place: string) => v.is(ReceivedId, place)
  const { query, before } = readList(ListQuery, call, { isPlace, isWhole })
  return {
    accountId: call.principal.accountId,
    from: query.from === undefined ? null : readSender(numbers, query.from),
    deviceId: query.deviceId ?? null,
    search: query.q === undefined ? null : readSearch(query.q, defaultCountry()),
    since: query.since ?? null,
    until: query.until ?? null,
    before,
    limit: query.limit ?? PAGE_SIZE_DEFAULT,
  }
}

/** Reads a sender, a number or a name. A + that was not percent-encoded arrives as a space. */
function readSender(numbers: PhoneNumberCache, given: string): InboxFilter['from'] {
  const asWritten = given.replace(/^ (?=\d)/, '+')
  return { asWritten, asNumber: numbers.parse(asWritten)?.e164 ?? asWritten }
}
