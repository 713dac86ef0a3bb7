/** httpSMS' API: sending a text to a number. */
import type { DialectPorts } from '#transport/http/dialects/dialect-ports.ts'
import { admitCaller, type Caller, fieldsOf, sendTexts } from '#transport/http/dialects/send-texts.ts'
import type { Call, Route } from '#transport/http/route.ts'
import { refusalText, refuseAs, shapedJson } from '#transport/http/shaped-answer.ts'

export function httpsmsRoutes(ports: DialectPorts): Route[] {
  return [
    {
      access: 'public',
      method: 'post',
      path: '/v1/messages/send',
      body: 'bytes',
      counted: false,
      refusal,
      admit: admitCaller(ports, (call, caller) => send(ports, call, caller)),
    },
  ]
}

async function send(ports: DialectPorts, call: Call, caller: Caller) {
  const fields = fieldsOf(call)
  const names = { message: 'content', sendAt: 'send_at' }
  const { sent: texts } = await sendTexts(ports, caller, { fields, names, reads: ['from', 'encrypted'] })
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

const refusal = refuseAs(problem => ({
  status: 'error',
  message: refusalText(problem),
  data: problem.code,
}))
