/** ntfy's API: publishing to a topic. The topic's name is the token of a webhook. */
import type { JsonObject } from '#domain/alert/read/json-value.ts'
import { TRIGGER_HEADERS } from '#domain/alert/read/read-payload.ts'
import { scalarOf } from '#domain/alert/read/scalar-of.ts'
import { invalid } from '#domain/problem.ts'
import { parseJsonObject } from '#transport/http/body.ts'
import type { DialectPorts } from '#transport/http/dialects/dialect-routes.ts'
import { JSON_TYPE } from '#transport/http/problem-response.ts'
import type { Call, FormatRefusal, Route } from '#transport/http/route.ts'
import { shapedJson } from '#transport/http/shaped-answer.ts'
import { type Alert, requestOf } from '#transport/http/trigger-webhook.ts'

/** ntfy's error codes by HTTP status. */
const CODE_OF_STATUS: Readonly<Record<number, number>> = {
  400: 40_000,
  403: 40_301,
  404: 40_401,
  413: 41_301,
  429: 42_901,
  500: 50_001,
}

export function ntfyRoutes(ports: DialectPorts): Route[] {
  const topic = {
    access: 'public',
    path: '/{token}',
    body: 'bytes',
    counted: false,
    matches: ([token = '']: readonly string[]) => /^[0-9A-Za-z]{32,64}$/.test(token),
    bodyBytesMax: ([token = '']: readonly string[]) => ports.triggers.bodyBytesMax(token),
    refusal,
    handle: (call: Call) => publish(ports, call, fromHeaders(call)),
  } as const
  const root = {
    access: 'public',
    path: '/',
    body: 'bytes',
    counted: false,
    refusal,
    handle: (call: Call) => publish(ports, call, fromJson(call)),
  } as const
  return [
    { ...topic, method: 'post' },
    { ...topic, method: 'put' },
    { ...root, method: 'post' },
    { ...root, method: 'put' },
  ]
}

async function publish({ triggers, wallMs }: DialectPorts, call: Call, alert: Alert) {
  const { message, messages } = await triggers.trigger(call, alert)
  const seconds = Math.floor(wallMs() / 1000)
  return shapedJson({
    id: messages[0]?.messageId ?? '',
    time: seconds,
    expires: seconds,
    event: 'message',
    topic: alert.token,
    message: message ?? '',
  })
}

/** The alert of a request. ntfy accepts each header as a query parameter, too. */
function fromHeaders(call: Call): Alert {
  const request = requestOf(call)
  const headers: Record<string, string> = { ...request.headers }
  for (const [name, value] of new URLSearchParams(call.rawQuery)) {
    const header = name.toLowerCase()
    if (TRIGGER_HEADERS.includes(header)) headers[header] ??= value
  }
  return { token: call.parameters[0] ?? '', request: { ...request, query: '', headers } }
}

/** The alert of a JSON body. Fields that other requests send as headers become headers. */
function fromJson(call: Call): Alert {
  const json = parseJsonObject(call.bytes) as JsonObject
  const { topic, ...fields } = json
  if (typeof topic !== 'string' || topic === '') throw invalid([{ path: 'topic', message: 'is required' }])
  const tags = Array.isArray(fields['tags']) ? fields['tags'].map(scalarOf).join(',') : ''
  const priority = scalarOf(fields['priority'])
  const headers = { ...(priority !== '' && { priority }), ...(tags !== '' && { tags }) }
  const body = new TextEncoder().encode(JSON.stringify(fields))
  const request = { ...requestOf(call), query: '', contentType: 'application/json', headers, body }
  return { token: topic, request }
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
