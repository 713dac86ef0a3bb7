/** Gotify's API: creating a message. The application token is the token of a webhook. */
import { isObject, type JsonObject, recordOf } from '#domain/alert/read/json-value.ts'
import { scalarOf } from '#domain/alert/read/scalar-of.ts'
import { bearerOf } from '#transport/http/authenticate.ts'
import type { DialectPorts } from '#transport/http/dialects/dialect-ports.ts'
import { JSON_TYPE } from '#transport/http/http-answer.ts'
import { readFields, readQuery } from '#transport/http/read-fields.ts'
import type { Call, FormatRefusal, Handle, Head, Route } from '#transport/http/route.ts'
import { numberOf, shapedJson } from '#transport/http/shaped-answer.ts'
import { requestOf } from '#transport/http/trigger-request.ts'
import type { Trigger } from '#transport/http/trigger-webhook.ts'

/** From this priority on, Gotify's app makes a sound. */
const URGENT = 8

/** The version of Gotify whose API this file follows. */
const VERSION = { version: '2.6.1', commit: '', buildDate: '' }

export function gotifyRoutes(ports: DialectPorts): Route[] {
  const info = { access: 'public', method: 'get', body: 'none' } as const
  return [
    {
      access: 'public',
      method: 'post',
      path: '/message',
      // Clients use this path if their configured address ends with a slash.
      aliases: ['//message'],
      body: 'bytes',
      counted: false,
      refusal,
      admit: head => admit(ports, head),
    },
    { ...info, path: '/version', handle: () => shapedJson(VERSION) },
    { ...info, path: '/health', handle: () => shapedJson({ health: 'green', database: 'green' }) },
  ]
}

function admit({ triggers, wallMs }: DialectPorts, head: Head): Handle {
  const query = readQuery(head.rawQuery)
  const token = query.get('token') ?? head.header('x-gotify-key') ?? bearerOf(head.header('authorization'))
  const trigger = triggers.admit(head, token ?? '')
  return call => sendMessage(trigger, call, wallMs())
}

async function sendMessage(trigger: Trigger, call: Call, wallMs: number) {
  const fields = readLooseFields(call)
  const request = { ...requestOf(call), query: '', headers: urgencyOf(fields) }
  const { message, messages } = await trigger(request)
  return shapedJson({
    id: numberOf(messages[0]?.messageId ?? ''),
    appid: 1,
    message: message ?? '',
    title: scalarOf(fields['title']),
    priority: priorityOf(fields),
    date: new Date(wallMs).toISOString(),
  })
}

/** Longer bodies have no fields here, because a listener reads them. */
const LOOSE_BYTES_MAX = 65_536

/** The fields of a JSON or form body, with any Content-Type. Any other body has no fields. Never throws. */
function readLooseFields(call: Call): JsonObject {
  const none = recordOf([])
  if (call.bytes.length > LOOSE_BYTES_MAX) return none
  try {
    const fields = readFields(call.bytes, call.header('content-type'))
    return isObject(fields as never) ? (fields as JsonObject) : none
  } catch {
    return none
  }
}

/** The header that marks an urgent alert; lower priorities of Gotify say nothing about severity. */
function urgencyOf(fields: JsonObject): Readonly<Record<string, string>> {
  return priorityOf(fields) >= URGENT ? { priority: 'urgent' } : {}
}

function priorityOf(fields: JsonObject): number {
  const priority = Number(scalarOf(fields['priority']) || 0)
  return Number.isFinite(priority) ? priority : 0
}

/** Formats a refusal as Gotify does: an unknown token is 401, not 404. */
const refusal: FormatRefusal = ({ code, message }, status) => {
  const shown = code === 'NOT_FOUND' ? 401 : status
  const error = shown === 401 ? 'Unauthorized' : code
  const errorDescription =
    shown === 401 ? 'send the token of a webhook as ?token= or in the header X-Gotify-Key' : message
  return {
    status: shown,
    contentType: JSON_TYPE,
    body: JSON.stringify({ error, errorCode: shown, errorDescription }),
  }
}
