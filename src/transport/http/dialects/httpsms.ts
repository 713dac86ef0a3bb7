/** httpSMS' API: sending a text to a number. */
import type { DialectPorts } from '#transport/http/dialects/dialect-ports.ts'
import { type Caller, callerOf, listOf, sendTexts } from '#transport/http/dialects/send-texts.ts'
import { JSON_TYPE } from '#transport/http/http-answer.ts'
import { readFields } from '#transport/http/read-fields.ts'
import type { Call, FormatRefusal, Route } from '#transport/http/route.ts'
import { refusalText, shapedJson } from '#transport/http/shaped-answer.ts'

const READS = ['from', 'to', 'content', 'send_at', 'encrypted']

export function httpsmsRoutes(ports: DialectPorts): Route[] {
  return [
    {
      access: 'public',
      method: 'post',
      path: '/v1/messages/send',
      body: 'bytes',
      counted: false,
      refusal,
      admit: head => {
        const caller = callerOf(ports, head)
        return call => send(ports, call, caller)
      },
    },
  ]
}

async function send(ports: DialectPorts, call: Call, caller: Caller) {
  const fields = readFields(call.bytes, call.header('content-type')) as Record<string, unknown>
  const { sent: texts } = await sendTexts(ports, caller, {
    fields,
    reads: READS,
    to: listOf(fields['to']),
    message: fields['content'],
    sendAt: fields['send_at'],
    names: { message: 'content', sendAt: 'send_at' },
  })
  const [sent] = texts
  const data = {
    id: sent?.messageId,
    owner: fields['from'] ?? null,
    contact: sent?.phoneNumber,
    content: fields['content'],
    type: 'mobile-terminated',
    status: 'pending',
    request_received_at: sent?.createdAt,
    created_at: sent?.createdAt,
  }
  return shapedJson({ data, message: 'message added to queue', status: 'success' })
}

const refusal: FormatRefusal = (problem, status) => ({
  status,
  contentType: JSON_TYPE,
  body: JSON.stringify({ status: 'error', message: refusalText(problem), data: problem.code }),
})
