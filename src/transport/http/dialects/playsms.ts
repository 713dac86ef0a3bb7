/**
 * playSMS's webservice: the operation `pv`, which sends a text. The webservice token of its clients is an API
 * key.
 */
import { invalid, type Problem } from '#domain/problem.ts'
import type { DialectPorts } from '#transport/http/dialects/dialect-ports.ts'
import {
  callerOf,
  OPTED_OUT_WORDS,
  queryAndForm,
  refuseHead,
  sendTexts,
} from '#transport/http/dialects/send-texts.ts'
import { readQuery } from '#transport/http/read-fields.ts'
import type { Call, Route } from '#transport/http/route.ts'
import { numberOf, refusalText, refuseAs, shapedJson } from '#transport/http/shaped-answer.ts'

/** `u`, the user, is not needed, because the key names the account. */
const READS = ['app', 'u', 'h', 'op']
const NAMES = { message: 'msg', sendAt: 'schedule' }

export function playsmsRoutes(ports: DialectPorts): Route[] {
  const shared = {
    access: 'public',
    path: '/index.php',
    aliases: ['/'],
    // The address without a file belongs to the console and to ntfy, too.
    matches: (_: readonly string[], { path, query }: { readonly path: string; readonly query: string }) =>
      path !== '/' || readQuery(query).get('app') === 'ws',
    counted: false,
    refusal,
    handle: (call: Call) => send(ports, call),
  } as const
  return [
    { ...shared, method: 'get', body: 'none' },
    { ...shared, method: 'post', body: 'bytes', credential: 'body' },
  ]
}

async function send(ports: DialectPorts, call: Call) {
  refuseHead(call)
  const fields = queryAndForm(call)
  const caller = callerOf(ports, call, fields['h'])
  if (fields['op'] !== 'pv') throw invalid([{ path: 'op', message: 'must be pv, the only operation here' }])
  const { sent, optedOut } = await sendTexts(ports, caller, {
    fields,
    reads: READS,
    names: NAMES,
    message: fields['msg'] ?? '',
  })
  const data = sent.map(({ messageId, phoneNumber }) => ({
    status: 'OK',
    error: '0',
    smslog_id: String(numberOf(messageId)),
    queue: messageId,
    to: phoneNumber,
  }))
  const left = optedOut.map(to => ({
    status: 'ERR',
    error: '200',
    smslog_id: '0',
    queue: OPTED_OUT_WORDS,
    to,
  }))
  const timestamp = Math.floor(ports.wallMs() / 1000)
  return shapedJson({ data: [...data, ...left], error_string: null, timestamp })
}

/** playSMS answers 200 here. Clients that look only at the status would take the refusal for a success. */
const refusal = refuseAs(problem => ({
  status: 'ERR',
  error: codeOf(problem),
  error_string: refusalText(problem),
}))

/** playSMS's return code for a refusal. */
function codeOf({ code, details }: Problem): string {
  if (code === 'UNAUTHORIZED') return '100'
  if (code !== 'INVALID_REQUEST') return '200'
  return details?.issues?.[0]?.path === 'op' ? '101' : '201'
}
