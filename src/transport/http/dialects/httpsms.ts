/** httpSMS' API: sending a text to a number. */
import type { DialectPorts } from '#transport/http/dialects/dialect-routes.ts'
import { callerOf, listOf, sendTexts } from '#transport/http/dialects/send-texts.ts'
import { JSON_TYPE } from '#transport/http/problem-response.ts'
import { readFields } from '#transport/http/read-fields.ts'
import type { Call, FormatRefusal, Route } from '#transport/http/route.ts'
import { refusalText, shapedJson } from '#transport/http/shaped-answer.ts'

export function httpsmsRoutes(ports: DialectPorts): Route[] {
  return [
    {
      access: 'public',
      method: 'post',
      path: '/v1/messages/send',
      body: 'bytes',
      counted: false,
      refusal,
      handle: call => send(ports, call),
    },
  ]
}

async function send(ports: DialectPorts, call: Call) {
  const caller = callerOf(ports, call)
  const fields = readFields(call.bytes, call.header('content-type')) as Record<string, unknown>
  const [sent] = await sendTexts(ports, caller, {
    to: listOf(fields['to']),
    message: fields['content'],
    names: { message: 'content' },
  })
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
