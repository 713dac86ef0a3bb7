/** ntfy's API: publishing to a topic. The topic's name is the token of a webhook. */
import type { TriggeredResource, TriggerRequest } from '#contracts/webhook.ts'
import { isObject, type JsonObject } from '#domain/alert/read/json-value.ts'
import { parseJsonLoosely } from '#domain/alert/read/parse-json-loosely.ts'
import { TRIGGER_HEADERS } from '#domain/alert/read/read-payload.ts'
import { scalarOf } from '#domain/alert/read/scalar-of.ts'
import { charsetOf, decodeText } from '#domain/decode-text.ts'
import { invalid, Problem } from '#domain/problem.ts'
import { faultOfSendAt } from '#domain/sending/schedule-message.ts'
import { parseJsonObject, STRANGER_VALUES_MAX } from '#transport/http/body.ts'
import type { DialectPorts } from '#transport/http/dialects/dialect-ports.ts'
import { JSON_TYPE } from '#transport/http/http-answer.ts'
import { readQuery } from '#transport/http/read-fields.ts'
import type { Call, FormatRefusal, Handle, Head, Route } from '#transport/http/route.ts'
import { sendTimeOf } from '#transport/http/send-time.ts'
import { shapedJson } from '#transport/http/shaped-answer.ts'
import { requestOf } from '#transport/http/trigger-request.ts'
import type { Trigger } from '#transport/http/trigger-webhook.ts'

/** ntfy's error codes by HTTP status. */
const CODE_OF_STATUS: Readonly<Record<number, number>> = {
  400: 40_000,
  403: 40_301,
  404: 40_401,
  413: 41_301,
  429: 42_901,
  500: 50_001,
}

/** ntfy's names of the time to send at, in its order. */
const DELAYS = ['x-delay', 'delay', 'x-at', 'at', 'x-in', 'in']

/** The topic in JSON that is broken elsewhere. */
const TOPIC = /"topic"\s{0,8}:\s{0,8}"([0-9A-Za-z]{32,64})"/

export function ntfyRoutes(ports: DialectPorts): Route[] {
  const topic = {
    access: 'public',
    path: '/{token}',
    body: 'bytes',
    counted: false,
    matches: ([token = '']: readonly string[]) => /^[0-9A-Za-z]{32,64}$/.test(token),
    refusal,
    admit: (head: Head) => admitTopic(ports, head),
  } as const
  const root = {
    access: 'public',
    path: '/',
    body: 'bytes',
    counted: false,
    credential: 'body',
    refusal,
    handle: (call: Call) => publishJson(ports, call),
  } as const
  return [
    ...(['post', 'put'] as const).flatMap(method => [
      { ...topic, method },
      { ...topic, method, path: '/{token}/{sequence}' },
    ]),
    ...['publish', 'send', 'trigger'].map(verb => {
      const { admit, ...shared } = topic
      const handle = (call: Call) => admit(call)(call)
      return { ...shared, method: 'get', path: `/{token}/${verb}`, body: 'none', handle } as const
    }),
    { ...root, method: 'post' },
    { ...root, method: 'put' },
  ]
}

function admitTopic({ triggers, wallMs }: DialectPorts, head: Head): Handle {
  const [topic = ''] = head.parameters
  const trigger = triggers.admit(head, topic)
  return async call => {
    const query = readQuery(call.rawQuery)
    const values = DELAYS.map(name => [name, call.header(name) ?? query.get(name)] as const)
    const plan = readPlan(trigger, values, wallMs())
    return { ...answerOf(topic, await trigger(fromHeaders(call), plan), wallMs()), ...plan.headers }
  }
}

async function publishJson({ triggers, wallMs }: DialectPorts, call: Call) {
  const strict = readStrictly(call)
  const topic = strict instanceof Problem ? topicIn(call) : strict['topic']
  if (typeof topic !== 'string' || topic === '')
    throw strict instanceof Problem ? strict : invalid([{ path: 'topic', message: 'is required' }])
  const trigger = triggers.admit(call, topic)
  // Only a known sender's broken JSON is repaired, which takes long.
  const fields = strict instanceof Problem ? (parseJsonLoosely(textOf(call)) ?? null) : strict
  const { delay, ...rest } = isObject(fields) ? fields : {}
  const plan = readPlan(trigger, [['delay', delay == null ? null : scalarOf(delay)]], wallMs())
  const request = isObject(fields) ? fromJson(call, rest) : fromText(call)
  return { ...answerOf(topic, await trigger(request, plan), wallMs()), ...plan.headers }
}

/** The JSON body, or why it is none. */
function readStrictly(call: Call): JsonObject | Problem {
  const contentType = call.header('content-type')
  try {
    return parseJsonObject(call.bytes, { valuesMax: STRANGER_VALUES_MAX, contentType }) as JsonObject
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
}

/** The time that the first of these fields asks for. If it is impossible, the field is named. */
function readPlan(
  { canPlan }: Trigger,
  fields: readonly (readonly [name: string, value: string | null])[],
  wallMs: number,
) {
  const [name, value] = fields.find(field => field[1] !== null && field[1] !== '') ?? []
  if (name === undefined || value == null) return { sendAt: null, written: '' }
  const sendAt = Date.parse(String(sendTimeOf(value, wallMs)))
  const isPossible = canPlan && !Number.isNaN(sendAt) && faultOfSendAt(sendAt, wallMs) === null
  if (isPossible) return { sendAt, written: value }
  return { sendAt: null, written: value, headers: { headers: { 'X-Roost-Ignored': name } } }
}

function topicIn(call: Call): string | undefined {
  return TOPIC.exec(textOf(call))?.[1]
}

function textOf(call: Call): string {
  return decodeText(call.bytes, charsetOf(call.header('content-type')))
}

/** A body that nothing can repair is the alert's text. */
function fromText(call: Call): TriggerRequest {
  return { ...requestOf(call), query: '', contentType: 'text/plain' }
}

function answerOf(topic: string, { message, messages }: TriggeredResource, wallMs: number) {
  const seconds = Math.floor(wallMs / 1000)
  return shapedJson({
    id: messages[0]?.messageId ?? '',
    time: seconds,
    expires: seconds,
    event: 'message',
    topic,
    message: message ?? '',
  })
}

/** The request to a webhook. ntfy accepts each header as a query parameter, too. */
function fromHeaders(call: Call): TriggerRequest {
  // A GET is a message, too, even one that says nothing.
  const request = { ...requestOf(call), method: 'POST' } as const
  const headers: Record<string, string> = { ...request.headers }
  for (const [name, value] of readQuery(call.rawQuery)) {
    const header = name.toLowerCase()
    if (TRIGGER_HEADERS.includes(header)) headers[header] ??= value
  }
  return { ...request, query: '', headers }
}

/** The fields of a JSON body. Those that other requests send as headers become headers. */
function fromJson(call: Call, { topic, ...fields }: JsonObject): TriggerRequest {
  const tags = Array.isArray(fields['tags']) ? fields['tags'].map(scalarOf).join(',') : ''
  const priority = scalarOf(fields['priority'])
  const headers = { ...(priority !== '' && { priority }), ...(tags !== '' && { tags }) }
  const body = new TextEncoder().encode(JSON.stringify(fields))
  return { ...requestOf(call), query: '', contentType: 'application/json', headers, body }
}

/** Formats a refusal as ntfy does: an unknown topic is 403, not 404. */
const refusal: FormatRefusal = ({ code, message }, status) => {
  const http = code === 'NOT_FOUND' ? 403 : status
  const error = code === 'NOT_FOUND' ? 'forbidden: the topic must be the token of a webhook' : message
  return {
    status: http,
    contentType: JSON_TYPE,
    body: JSON.stringify({ code: CODE_OF_STATUS[http] ?? http * 100, http, error }),
  }
}
