/** SMSEagle's APIs: version 2, the older calls with a query, and JSON-RPC. */
import type { AcceptedMessageResource } from '#contracts/message.ts'
import { invalid } from '#domain/problem.ts'
import type { DialectPorts } from '#transport/http/dialects/dialect-ports.ts'
import {
  admitCaller,
  type Caller,
  callerOf,
  fieldsOf,
  OPTED_OUT_WORDS,
  readStrangerFields,
  refuseHead,
  sendTexts,
} from '#transport/http/dialects/send-texts.ts'
import { readQuery } from '#transport/http/read-fields.ts'
import type { Call, FormatRefusal, Route } from '#transport/http/route.ts'
import { numberOf, refusalText, refuseAs, shapedJson, TEXT_TYPE } from '#transport/http/shaped-answer.ts'

/** The method of JSON-RPC that sends a text. */
const RPC_METHOD = 'sms.send_sms'
const NAMES = { sendAt: 'date' }
const READS = ['access_token', 'login', 'pass', 'highpriority']

export function smseagleRoutes(ports: DialectPorts): Route[] {
  const shared = { access: 'public', counted: false } as const
  const byQuery = {
    ...shared,
    method: 'get',
    body: 'none',
    refusal: inText,
    handle: (call: Call) => sendByQuery(ports, call),
  } as const
  return [
    {
      ...shared,
      method: 'post',
      path: '/api/v2/messages/sms',
      body: 'bytes',
      refusal: inJson,
      admit: admitCaller(
        ports,
        (call, caller) => sendByApi(ports, call, caller),
        ({ header, rawQuery }) => header('access-token') ?? readQuery(rawQuery).get('access_token'),
      ),
    },
    { ...byQuery, path: '/http_api/send_sms', aliases: ['/index.php/http_api/send_sms'] },
    {
      ...shared,
      method: 'post',
      path: '/jsonrpc/sms',
      aliases: ['/index.php/jsonrpc/sms'],
      body: 'bytes',
      credential: 'body',
      refusal: inRpc,
      handle: (call: Call) => sendByRpc(ports, call),
    },
  ]
}

async function sendByApi(ports: DialectPorts, call: Call, caller: Caller) {
  const names = { ...NAMES, message: 'text' }
  const { sent, optedOut } = await sendTexts(ports, caller, { fields: fieldsOf(call), names })
  const queued = sent.map(({ messageId, phoneNumber }) => ({
    status: 'queued',
    message: 'OK',
    number: phoneNumber,
    id: numberOf(messageId),
  }))
  const left = optedOut.map(number => ({ status: 'error', message: OPTED_OUT_WORDS, number, id: null }))
  return shapedJson([...queued, ...left])
}

async function sendByQuery(ports: DialectPorts, call: Call) {
  refuseHead(call)
  const query = readQuery(call.rawQuery)
  const caller = callerOf(ports, call, query.get('access_token') ?? query.get('pass'))
  const { sent } = await sendTexts(ports, caller, {
    fields: Object.fromEntries(query),
    reads: READS,
    names: NAMES,
    message: query.get('message') ?? '',
    priority: query.get('highpriority') === '1' ? 'high' : 'normal',
  })
  return { raw: okOf(sent), contentType: TEXT_TYPE }
}

async function sendByRpc(ports: DialectPorts, call: Call) {
  const { method, params, id } = readStrangerFields(call)
  const fields = (typeof params === 'object' && params !== null ? params : {}) as Record<string, unknown>
  const key = fields['access_token'] ?? fields['pass']
  const caller = callerOf(ports, call, typeof key === 'string' ? key : null)
  if (method != null && method !== RPC_METHOD)
    throw invalid([{ path: 'method', message: `must be ${RPC_METHOD}, the only method here` }])
  const { sent, optedOut } = await sendTexts(ports, caller, {
    fields,
    reads: [...READS, 'responsetype'],
    names: NAMES,
    priority: String(fields['highpriority']) === '1' ? 'high' : 'normal',
  })
  const extended = sent.map(({ messageId }) => ({ message_id: String(numberOf(messageId)), status: 'ok' }))
  const left = optedOut.map(number => ({
    message_id: null,
    status: 'error',
    message: OPTED_OUT_WORDS,
    number,
  }))
  const result = fields['responsetype'] === 'extended' ? [...extended, ...left] : okOf(sent)
  return shapedJson({ result, ...(id !== undefined && { jsonrpc: '2.0', id }) })
}

function okOf(sent: readonly AcceptedMessageResource[]): string {
  const ids = sent.map(({ messageId }) => numberOf(messageId)).join(',')
  return sent.length === 1 ? `OK; ID=${ids}` : `OK; ID=[${ids}]`
}

const inJson = refuseAs(problem => ({ message: refusalText(problem) }))

const inRpc = refuseAs(problem => ({
  jsonrpc: '2.0',
  error: { code: -32_000, message: refusalText(problem) },
  id: null,
}))

/** A refusal as text. It must not contain "OK", for which SMSEagle's clients search. */
const inText: FormatRefusal = (problem, status) => ({
  status,
  contentType: TEXT_TYPE,
  body:
    status === 401
      ? 'Invalid login or password'
      : `${status === 400 ? 'Wrong parameters' : 'Error'}: ${refusalText(problem)}`,
})
