/** Twilio's Messages API. A client's auth token, the password of its requests, is a Roost API key. */
import type { Message } from '#domain/message/message.ts'
import { ANY_MESSAGE } from '#domain/message/message-reader.ts'
import { messageIdOf, sidOf } from '#domain/message/message-sid.ts'
import {
  TWILIO_OPTED_OUT,
  twilioCallback,
  twilioErrorOf,
  twilioStatusOf,
} from '#domain/notification/twilio-callback.ts'
import { readWrittenNumber } from '#domain/phone-number/read-written-number.ts'
import { invalid, notFound, type Problem } from '#domain/problem.ts'
import type { DialectPorts } from '#transport/http/dialects/dialect-ports.ts'
import {
  admitCaller,
  type Caller,
  callerOf,
  fieldsOf,
  integerOf,
  sendTexts,
} from '#transport/http/dialects/send-texts.ts'
import { ignoredNames } from '#transport/http/field-names.ts'
import { readQuery } from '#transport/http/read-fields.ts'
import type { Call, Route } from '#transport/http/route.ts'
import { refusalText, refuseAs, shapedJson } from '#transport/http/shaped-answer.ts'

const MESSAGES = '/2010-04-01/Accounts/{sid}/Messages'
/** Messages per page: at most, and by default. */
const PAGE_MAX = 200
const PAGE_DEFAULT = 50
const NAMES = {
  to: 'To',
  message: 'Body',
  ttl: 'ValidityPeriod',
  webhookUrl: 'StatusCallback',
  sendAt: 'SendAt',
}
const READS = ['From', 'ScheduleType']

export function twilioRoutes(ports: DialectPorts): Route[] {
  const shared = { access: 'public', counted: false, refusal } as const
  return [
    {
      ...shared,
      method: 'post',
      path: `${MESSAGES}.json`,
      body: 'bytes',
      admit: admitCaller(ports, (call, caller) => create(ports, call, caller)),
    },
    {
      ...shared,
      method: 'get',
      path: `${MESSAGES}.json`,
      body: 'none',
      handle: (call: Call) => list(ports, call),
    },
    {
      ...shared,
      method: 'get',
      path: `${MESSAGES}/{id}`,
      body: 'none',
      handle: (call: Call) => show(ports, call),
    },
    {
      ...shared,
      method: 'post',
      path: `${MESSAGES}/{id}`,
      body: 'bytes',
      admit: admitCaller(ports, (call, caller) => cancel(ports, call, caller)),
    },
  ]
}

async function create(ports: DialectPorts, call: Call, caller: Caller) {
  const fields = fieldsOf(call)
  checkSchedule(fields)
  const [AccountSid = ''] = call.parameters
  const { sent } = await sendTexts(ports, caller, {
    fields,
    reads: READS,
    to: fields['To'] == null ? [] : [fields['To']],
    message: fields['Body'] ?? '',
    ttl: integerOf(fields['ValidityPeriod']),
    webhookUrl: fields['StatusCallback'] === '' ? null : fields['StatusCallback'],
    callback: url => twilioCallback(url, { AccountSid, From: String(fields['From'] ?? '') }),
    names: NAMES,
  })
  const message = find(ports, caller, sent[0]?.messageId ?? '')
  return shapedJson(resource({ call, wallMs: ports.wallMs(), from: fields['From'] }, message), 201)
}

/** A schedule without a time must not make a text leave at once. @throws Problem INVALID_REQUEST */
function checkSchedule({ ScheduleType: type, SendAt: sendAt }: Record<string, unknown>): void {
  if (type == null || type === '') return
  if (type !== 'fixed')
    throw invalid([{ path: 'ScheduleType', message: 'must be fixed, the only type of schedule' }])
  if (sendAt == null || sendAt === '')
    throw invalid([{ path: 'SendAt', message: 'is required with ScheduleType: the time to send at' }])
}

/** Cancels a message, the only change that Roost can make. */
async function cancel(ports: DialectPorts, call: Call, caller: Caller) {
  const fields = fieldsOf(call)
  if (fields['Status'] !== 'canceled')
    throw invalid([{ path: 'Status', message: 'must be canceled, the only change of a message' }])
  caller.ignore(ignoredNames(fields, name => name === 'Status'))
  const { accountId, test, keyId } = caller.principal
  const { id: messageId } = find(ports, caller, idIn(call))
  await ports.writer.ask('message.cancel', { accountId, test, messageId }, keyId)
  return shapedJson(resource({ call, wallMs: ports.wallMs() }, find(ports, caller, messageId)))
}

/** The id of the message in the path; empty: there is none. */
function idIn({ parameters }: Call): string {
  return messageIdOf((parameters[1] ?? '').replace(/\.json$/, '')) ?? ''
}

function show(ports: DialectPorts, call: Call) {
  const caller = callerOf(ports, call)
  return shapedJson(resource({ call, wallMs: ports.wallMs() }, find(ports, caller, idIn(call))))
}

function list(ports: DialectPorts, call: Call) {
  const { principal } = callerOf(ports, call)
  const query = readQuery(call.rawQuery)
  const to = query.get('To')
  const number = to === null ? '' : readWrittenNumber(to, ports.defaultCountry(), ports.numbers)
  const pageSize = Number(query.get('PageSize') ?? PAGE_DEFAULT)
  const limit = Number.isInteger(pageSize) && pageSize >= 1 ? Math.min(pageSize, PAGE_MAX) : PAGE_DEFAULT
  const { accountId, test } = principal
  const page = Number(/^\d{1,9}$/.exec(query.get('Page') ?? '')?.[0] ?? 0)
  const { messages, next } = ports.messages.list({
    ...ANY_MESSAGE,
    accountId,
    test,
    phoneNumber: typeof number === 'string' ? to : number.e164,
    before: positionOf(query.get('PageToken')),
    limit,
  })
  const base = `/2010-04-01/Accounts/${encodeURIComponent(call.parameters[0] ?? '')}/Messages.json`
  const uriOf = (more: Readonly<Record<string, string>>) =>
    `${base}?${new URLSearchParams({ ...(to !== null && { To: to }), PageSize: String(limit), ...more })}`
  const following = { Page: String(page + 1), PageToken: `PA${next}` }
  const start = page * limit
  return shapedJson({
    messages: messages.map(message => resource({ call, wallMs: ports.wallMs() }, message)),
    page,
    page_size: limit,
    start,
    end: start + Math.max(messages.length - 1, 0),
    uri: `${base}${call.rawQuery === '' ? '' : `?${call.rawQuery}`}`,
    first_page_uri: uriOf({ Page: '0' }),
    next_page_uri: next === null ? null : uriOf(following),
    previous_page_uri: null,
  })
}

/** Where a page begins, from the `PageToken` of the page before; null: at the newest message. */
function positionOf(token: string | null): number | null {
  const position = Number(/^PA(\d{1,16})$/.exec(token ?? '')?.[1] ?? NaN)
  return Number.isSafeInteger(position) ? position : null
}

function find({ messages }: DialectPorts, { principal }: Caller, id: string): Message {
  const message = messages.find(principal.accountId, principal.test, id)
  if (message === undefined) throw notFound('message')
  return message
}

interface Shown {
  readonly call: Call
  readonly wallMs: number
  readonly from?: unknown
}

function stateOf({ status, sendAt, failure }: Message, wallMs: number): string {
  return status === 'queued' && sendAt !== null && sendAt > wallMs
    ? 'scheduled'
    : twilioStatusOf(status, failure?.code)
}

/** Describes a message as Twilio does. @see https://www.twilio.com/docs/messaging/api/message-resource */
function resource({ call, wallMs, from }: Shown, message: Message) {
  const accountSid = call.parameters[0]
  const sid = sidOf(message.id)
  const changedAt = message.timeline.at(-1)?.at ?? message.createdAt
  return {
    sid,
    account_sid: accountSid,
    api_version: '2010-04-01',
    body: message.text,
    from: from ?? null,
    to: message.phoneNumber,
    status: stateOf(message, wallMs),
    direction: 'outbound-api',
    num_segments: String(message.segments),
    num_media: '0',
    date_created: dateOf(message.createdAt),
    date_updated: dateOf(changedAt),
    date_sent: message.sentAt === null ? null : dateOf(message.sentAt),
    error_code: message.failure === null ? null : twilioErrorOf(message.failure.code),
    error_message: message.failure?.message ?? null,
    messaging_service_sid: null,
    price: null,
    price_unit: 'USD',
    subresource_uris: {},
    uri: `/2010-04-01/Accounts/${accountSid}/Messages/${sid}.json`,
  }
}

/** A time in the format of RFC 2822, which Twilio uses. */
function dateOf(wallMs: number): string {
  return new Date(wallMs).toUTCString().replace('GMT', '+0000')
}

const refusal = refuseAs((problem, status) => ({
  code: codeOf(problem),
  message: refusalText(problem),
  more_info: '',
  status,
}))

/** Twilio's error code for a refusal. @see https://www.twilio.com/docs/api/errors */
function codeOf(problem: Problem): number {
  const [issue] = problem.details?.issues ?? []
  if (issue?.path === NAMES.to) return 21211
  if (issue?.path === NAMES.message) return 21602
  if (problem.details?.reason === 'OPTED_OUT') return TWILIO_OPTED_OUT
  return CODES[problem.code] ?? 20001
}

const CODES: Readonly<Partial<Record<Problem['code'], number>>> = {
  UNAUTHORIZED: 20003,
  NOT_FOUND: 20404,
  METHOD_NOT_ALLOWED: 20004,
  CONFLICT: 20409,
  RATE_LIMIT_EXCEEDED: 20429,
  NO_DEVICE_AVAILABLE: 20503,
  SERVICE_UNAVAILABLE: 20503,
}
