/**
 * The API of signal-cli-rest-api: sending a text. Its clients cannot send an API key, so the path may contain
 * it.
 */
import type { DialectPorts } from '#transport/http/dialects/dialect-ports.ts'
import { admitCaller, type Caller, fieldsOf, sendTexts } from '#transport/http/dialects/send-texts.ts'
import type { Call, Route } from '#transport/http/route.ts'
import { refusalText, refuseAs, shapedJson } from '#transport/http/shaped-answer.ts'

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
        admit: admitCaller(
          ports,
          (call, caller) => send(ports, call, caller),
          head => head.parameters[0],
        ),
      },
      { ...info, path: `${prefix}/v1/about`, handle: () => shapedJson(ABOUT) },
      { ...info, path: `${prefix}/v1/health`, handle: () => shapedJson({ healthy: true }) },
    ]
  })
}

async function send(ports: DialectPorts, call: Call, caller: Caller) {
  await sendTexts(ports, caller, { fields: fieldsOf(call), names: { to: 'recipients' } })
  return shapedJson({ timestamp: String(ports.wallMs()) }, 201)
}

const refusal = refuseAs(problem => ({ error: refusalText(problem) }))
