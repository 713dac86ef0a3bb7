/**
 * The API of signal-cli-rest-api: sending a text. Its clients cannot send an API key, so the path may contain
 * it.
 */
import type { DialectPorts } from '#transport/http/dialects/dialect-ports.ts'
import { type Caller, callerOf, listOf, sendTexts } from '#transport/http/dialects/send-texts.ts'
import { JSON_TYPE } from '#transport/http/http-answer.ts'
import { readFields } from '#transport/http/read-fields.ts'
import type { Call, FormatRefusal, Route } from '#transport/http/route.ts'
import { refusalText, shapedJson } from '#transport/http/shaped-answer.ts'

/** Tells clients what the server can do. */
const ABOUT = {
  versions: ['v1', 'v2'],
  build: 2,
  mode: 'normal',
  version: '0.95',
  capabilities: { 'v2/send': [] },
}

export function signalRoutes(ports: DialectPorts): Route[] {
  return ['', '/signal/{key}'].flatMap((prefix): Route[] => {
    const info = { access: 'public', method: 'get', body: 'none' } as const
    return [
      {
        access: 'public',
        method: 'post',
        path: `${prefix}/v2/send`,
        body: 'bytes',
        counted: false,
        refusal,
        admit: head => {
          const caller = callerOf(ports, head, head.parameters[0])
          return call => send(ports, call, caller)
        },
      },
      { ...info, path: `${prefix}/v1/about`, handle: () => shapedJson(ABOUT) },
      { ...info, path: `${prefix}/v1/health`, handle: () => shapedJson({ healthy: true }) },
    ]
  })
}

async function send(ports: DialectPorts, call: Call, caller: Caller) {
  const fields = readFields(call.bytes, call.header('content-type')) as Record<string, unknown>
  const names = { to: 'recipients' }
  await sendTexts(ports, caller, {
    fields,
    reads: ['recipients', 'message'],
    to: listOf(fields['recipients']),
    message: fields['message'],
    names,
  })
  return shapedJson({ timestamp: String(ports.wallMs()) }, 201)
}

const refusal: FormatRefusal = (problem, status) => ({
  status,
  contentType: JSON_TYPE,
  body: JSON.stringify({ error: refusalText(problem) }),
})
