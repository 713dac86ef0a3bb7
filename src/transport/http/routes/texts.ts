import * as v from 'valibot'
import { PAGE_SIZE_DEFAULT } from '#contracts/bounds.ts'
import { ReceivedId } from '#contracts/inbox.ts'
import { TimeZone } from '#contracts/on-call.ts'
import {
  TEXT_CUTS,
  type TextCount,
  type TextCut,
  type TextResource,
  TextsResource,
} from '#contracts/texts.ts'
import { LANGUAGE_TAGS } from '#contracts/words.ts'
import { describeReceived } from '#domain/inbox/describe-received.ts'
import type { InboxFilter, InboxPage } from '#domain/inbox/inbox-reader.ts'
import { languageOf } from '#domain/language.ts'
import { describeMessage } from '#domain/message/describe-message.ts'
import { CSV_COLUMNS } from '#domain/message/message-fields.ts'
import type { MessageCount, MessageFilter, MessageSlice } from '#domain/message/message-reader.ts'
import { readSearch } from '#domain/message/search.ts'
import { mergeTexts, type TextsPage, type TextsPlace } from '#domain/texts/merge-texts.ts'
import { type NamedDay, readDay } from '#domain/texts/read-day.ts'
import { instant } from '#domain/time.ts'
import { type Cell, csvAnswer, pageByPage, TABLE_PAGE_ROWS } from '#transport/http/csv.ts'
import { knownRoutes } from '#transport/http/known-routes.ts'
import { MessageListQuery, rowOfMessage } from '#transport/http/list-messages.ts'
import { encodeCursor, readList } from '#transport/http/list-query.ts'
import type { Answer, AuthorizedCall, Route } from '#transport/http/route.ts'
import type { RoutePorts } from '#transport/http/route-ports.ts'

type TextPorts = Pick<
  RoutePorts,
  'messages' | 'inbox' | 'onCall' | 'searches' | 'defaultCountry' | 'machineZone' | 'language' | 'wallMs'
>

const COUNT_MAX = 1_000

const ListQuery = v.object({
  cut: v.optional(v.picklist(TEXT_CUTS, `must be one of ${TEXT_CUTS.join(', ')}`)),
  /** `true`: no words name days. */
  words: MessageListQuery.entries.test,
  /** Of the reader; default: the gateway's. */
  language: v.optional(v.picklist(LANGUAGE_TAGS, `must be one of ${LANGUAGE_TAGS.join(', ')}`)),
  timeZone: v.optional(TimeZone),
  ...v.pick(MessageListQuery, [
    ...(['deviceId', 'kind', 'webhookId', 'reason', 'failedSince', 'q', 'test'] as const),
    ...(['limit', 'cursor'] as const),
  ]).entries,
})

/** The console's list of texts: sent and received ones, without those of drills. */
export function textRoutes(ports: TextPorts): Route[] {
  const shared = { query: ListQuery, description: 'Only for the console: it may change at any time.' }
  return knownRoutes({ tag: 'messages', access: 'session', role: 'viewer' }, [
    {
      method: 'get',
      path: '/api/v1/texts',
      operation: {
        id: 'listTexts',
        summary: 'List sent and received texts, newest first',
        ...shared,
        response: TextsResource,
        example: { data: { texts: [], counts: null, day: null } },
      },
      handle: call => listTexts(ports, call),
    },
    {
      method: 'get',
      path: '/api/v1/texts.csv',
      operation: {
        id: 'exportTexts',
        summary: 'All texts of a list as CSV; received ones have the status `received`',
        ...shared,
        response: v.string(),
        bare: 'text/csv',
        example: { data: 'messageId,createdAt,status\r\n' },
      },
      handle: call => tableOfTexts(ports, call),
    },
  ])
}

/** What is asked of the two lists, and where the page begins. Null: nothing in that list can match. */
interface Asked {
  readonly sent: Omit<MessageFilter, 'before' | 'limit'> | null
  readonly received: Omit<InboxFilter, 'before' | 'limit'> | null
  readonly cut: TextCut | null
  readonly day: NamedDay | null
  readonly from: TextsPlace
  readonly limit: number
}

const NOTHING_SENT: MessageSlice = { messages: [], places: [], next: null, lookedBackTo: null }
const NOTHING_RECEIVED: InboxPage = { received: [], next: null, lookedBackTo: null }
const START: TextsPlace = { sent: null, received: null }

async function listTexts(ports: TextPorts, call: AuthorizedCall) {
  const { accountId } = call.principal
  const asked = readAsked(ports, call)
  const { searches } = ports
  const read = () => readPage(ports, asked)
  const isSearch = asked.sent !== null && asked.sent.search !== null
  const { texts, next } = await (isSearch ? searches.run(accountId, read) : searches.take(accountId, read))
  const isFirst = asked.from === START
  const counts = isFirst ? await searches.take(accountId, () => countCuts(ports, asked)) : null
  const { day } = asked
  const span = day && { words: day.words, since: instant(day.since), until: instant(day.until) }
  const data: TextsResource = { texts: texts.map(text => describe(ports, text)), counts, day: span }
  const place = next && `${next.sent ?? ''}~${next.received ?? ''}`
  return {
    data,
    page: { nextCursor: encodeCursor(place && day ? `${place}~${day.since}~${day.until}` : place) },
  }
}

function tableOfTexts(ports: TextPorts, call: AuthorizedCall): Promise<Answer> {
  const asked = readAsked(ports, call, true)
  const pages = pageByPage((from: TextsPlace | null) =>
    ports.searches.take(call.principal.accountId, () => {
      const page = readPage(ports, { ...asked, from: from ?? START, limit: TABLE_PAGE_ROWS })
      return { rows: page.texts.map(text => rowOf(describe(ports, text))), next: page.next }
    }),
  )
  return csvAnswer('texts.csv', CSV_COLUMNS, pages)
}

function describe({ messages }: TextPorts, text: TextsPage['texts'][number]): TextResource {
  return 'sent' in text ? describeMessage(text.sent, messages.isPretend) : describeReceived(text.received)
}

/** Received texts have the columns of sent ones. */
function rowOf(text: TextResource): readonly Cell[] {
  if ('messageId' in text) return rowOfMessage(text)
  const { id, from, receivedAt, sentAt, message, deviceId, simSlot } = text
  const shared = { message, deviceId, simSlot, sentAt, status: 'received' }
  const row: Record<string, Cell> = { ...shared, messageId: id, phoneNumber: from, createdAt: receivedAt }
  return CSV_COLUMNS.map(name => row[name] ?? null)
}

function readPage({ messages, inbox }: TextPorts, { sent, received, cut, from, limit }: Asked): TextsPage {
  const said =
    sent === null || cut === 'received' || from.sent === 'end'
      ? NOTHING_SENT
      : messages.list({ ...sent, status: cut, before: from.sent, limit })
  const heard =
    received === null || (cut !== null && cut !== 'received') || from.received === 'end'
      ? NOTHING_RECEIVED
      : inbox.list({ ...received, before: from.received, limit })
  return mergeTexts({ sent: said, received: heard }, { from, limit })
}

/** Of the texts that one page reads. */
function countCuts({ messages, inbox }: TextPorts, { sent, received }: Asked): TextsResource['counts'] {
  const page = { before: null, limit: 1 }
  const said = sent === null ? NO_MESSAGES : messages.count({ ...sent, ...page })
  const heard = received === null ? NO_MESSAGES : inbox.count({ ...received, ...page })
  return {
    all: upTo(said.all + heard.all, said.isMore || heard.isMore),
    waiting: upTo(said.waiting, said.isMore),
    failed: upTo(said.failed, said.isMore),
    received: upTo(heard.all, heard.isMore),
  }
}

const NO_MESSAGES: MessageCount = { all: 0, waiting: 0, failed: 0, isMore: false }

function upTo(count: number, isMore: boolean): TextCount {
  return { count: Math.min(count, COUNT_MAX), isMore: isMore || count > COUNT_MAX }
}

function readAsked(ports: TextPorts, call: AuthorizedCall, isWhole = false): Asked {
  const { accountId } = call.principal
  const isPlace = (place: string) => readPlace(place) !== null
  const { query, before } = readList(ListQuery, call, { isPlace, isWhole })
  const { q = '', cut = null, deviceId = null, kind = null, webhookId = null, reason = null } = query
  const language = query.language === undefined ? ports.language() : languageOf(query.language)
  const reader = { language, timeZone: query.timeZone ?? ports.machineZone(), wallMs: ports.wallMs() }
  const named = query.words === 'true' ? null : readDay(q, reader)
  const [, since, until] = PLACE_SPAN.exec(before ?? '') ?? []
  const day = named && since ? { ...named, since: Number(since), until: Number(until) } : named
  const words = day?.rest ?? q
  const people = words === '' ? [] : ports.onCall.person.list(accountId)
  const shared = {
    accountId,
    deviceId,
    search: words === '' ? null : readSearch(words, ports.defaultCountry(), people),
    since: day?.since ?? null,
    until: day?.until ?? null,
  }
  const { failedSince = null, test = 'false' } = query
  const isOfSent = kind !== null || webhookId !== null || reason !== null || failedSince !== null
  const ofSent = { kind, webhookId, reason, failedSince, test: test === 'true', status: null }
  return {
    sent: { ...shared, ...ofSent, phoneNumber: null },
    received: isOfSent || test === 'true' ? null : { ...shared, from: null },
    cut,
    day,
    from: readPlace(before ?? '') ?? START,
    limit: query.limit ?? PAGE_SIZE_DEFAULT,
  }
}

/** The day of the first page: after midnight, the same words name another one. */
const PLACE_SPAN = /~(-?\d{1,15})~(-?\d{1,15})$/

/** Null: no answer has given this cursor. */
function readPlace(text: string): TextsPlace | null {
  const [, sent = '', received = ''] =
    /^(\d{1,16}|end)?~(rcv_\w+|end)?$/.exec(text.replace(PLACE_SPAN, '')) ?? []
  if (sent === '' && received === '') return null
  if (/^r/.test(received) && !v.is(ReceivedId, received)) return null
  return { sent: sent === 'end' ? sent : sent === '' ? null : Number(sent), received: received || null }
}
