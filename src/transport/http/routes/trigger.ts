/** The routes of the secret addresses of webhooks, in Roost's own API. */
import { TriggeredResource, type TriggerRequest } from '#contracts/webhook.ts'
import { charsetOf, decodeText } from '#domain/decode-text.ts'
import { notFound } from '#domain/problem.ts'
import { type KnownRoute, knownRoutes } from '#transport/http/known-routes.ts'
import { MESSAGE_ID, PHONE_NUMBER } from '#transport/http/openapi/example-values.ts'
import type { AuthorizedCall, Call, Handle, Head, Operation, Route } from '#transport/http/route.ts'
import { OF_WEBHOOK } from '#transport/http/routes/webhooks.ts'
import { requestOf } from '#transport/http/trigger-request.ts'
import type { Triggers } from '#transport/http/trigger-webhook.ts'

const TRIGGERED = {
  triggered: true,
  reason: null,
  duplicate: false,
  gathered: false,
  message: 'DOWN nas: no answer for 60 s',
  messages: [{ messageId: MESSAGE_ID, phoneNumber: PHONE_NUMBER, status: 'queued' }],
  incidentId: null,
}

const DESCRIBED = {
  tag: 'alerts',
  parameters: { token: { description: 'Secret token of the webhook.', example: 'TOKEN_k3Zp' } },
  response: TriggeredResource,
  example: {
    request: { status: 'down', monitor: 'nas', message: 'no answer for 60 s' },
    data: TRIGGERED,
  },
} as const

/** Routes that turn a request to a webhook into texts. */
export function triggerRoutes(triggers: Triggers): Route[] {
  return [
    {
      ...SHARED,
      ...withBody(triggers, {
        id: 'triggerWebhook',
        summary: 'Trigger a webhook with a body of any type',
        description:
          'Accepts JSON, a form or plain text. The request sets only the text; the recipients are those of ' +
          'the webhook. A `/` or `/message` at the end of the address is ignored. 403: the address of the ' +
          'caller is not on the allowlist of the webhook. 404: the webhook is unknown, disabled or ' +
          'deleted. 429: the hourly limit of the webhook or the daily limit of the account is reached.',
      }),
      method: 'post',
    },
    {
      ...SHARED,
      ...withBody(triggers, {
        id: 'triggerWebhookByPut',
        summary: 'Trigger a webhook with a body, as POST does',
        description: 'The same as POST, for senders that use PUT.',
      }),
      method: 'put',
    },
    {
      ...SHARED,
      method: 'get',
      body: 'none',
      handle: (call: Call) => admit(triggers, call)(call),
      operation: {
        ...DESCRIBED,
        id: 'triggerWebhookByGet',
        summary: 'Trigger a webhook with a query',
        description:
          'The same as POST, with the query as the payload. A GET without a query and a HEAD send no text, ' +
          'because browsers and link previews also call the address.',
        problems: [403, 404, 429, 503],
      },
    },
    ...knownRoutes({ tag: 'webhooks', role: 'operator' }, [testRoute(triggers)]),
    ...pingRoutes(triggers),
  ]
}

/** What programs append to the address of a check of Healthchecks: what happened, or a status of exit. */
const PING = /^(?:start|log|fail|\d{1,3})$/

/** The address of a webhook as that of a check, named like the webhook. */
function pingRoutes(triggers: Triggers): Route[] {
  const handle = (head: Head): Handle => {
    const trigger = triggers.admit(head, head.parameters[0] ?? '')
    return async call => ({ data: await trigger(pingOf(call, trigger.webhookName)) })
  }
  const shared = { path: `${PATH}/{ping}`, access: 'public', counted: false } as const
  const operation = {
    ...DESCRIBED,
    summary: 'Trigger a webhook by the ping of a check',
    description:
      'The address of a webhook as that of a check of Healthchecks: `fail` and a status of exit above 0 ' +
      'say that the job which the webhook is named after has failed, 0 that it is over. `start` and `log` ' +
      'send no text. The last line of the body is the reason.',
    parameters: {
      ...DESCRIBED.parameters,
      ping: { description: '`start`, `log`, `fail`, or a status of exit from 0 to 999.', example: 'fail' },
    },
  }
  const problems = [403, 404, 429, 503] as const
  return [
    {
      ...shared,
      method: 'post',
      body: 'bytes',
      admit: handle,
      operation: { ...operation, id: 'pingWebhook', problems: [...problems, 413] },
    },
    {
      ...shared,
      method: 'get',
      body: 'none',
      handle: (call: Call) => handle(call)(call),
      operation: { ...operation, id: 'pingWebhookByGet', problems },
    },
  ]
}

/** Of the log of a job only the end is read. */
const PING_BYTES_MAX = 4096

/** A ping as an alert. That a job has begun says nothing; the last line of its log is the reason. */
function pingOf(call: Call, service: string): TriggerRequest {
  const ping = call.parameters[1] ?? ''
  if (!PING.test(ping)) throw notFound('webhook')
  const request = requestOf(call)
  if (ping === 'start' || ping === 'log') return { ...request, method: 'GET', query: '' }
  const lines = decodeText(request.body.subarray(-PING_BYTES_MAX), charsetOf(request.contentType))
    .trim()
    .split('\n')
  const fields = { host: '', service, state: ping === 'fail' ? 'failed' : ping, message: lines.at(-1) ?? '' }
  const body = new TextEncoder().encode(JSON.stringify(fields))
  return { ...request, method: 'POST', contentType: 'application/json', body }
}

/** The route by which the owner of a webhook tries it, without its secret address. */
function testRoute(triggers: Triggers): KnownRoute {
  return {
    method: 'post',
    path: '/api/v1/webhooks/{id}/test',
    operation: {
      id: 'testWebhook',
      summary: 'Send a test text to the recipients of a webhook',
      description:
        'The text says that it is a test. It counts like any alert of the webhook, but the address of the ' +
        'caller is not checked. `duplicate`: nothing was sent, because the last test was less than a ' +
        'minute ago. 409: the webhook is disabled.',
      parameters: OF_WEBHOOK,
      response: TriggeredResource,
      problems: [409],
      example: { data: TRIGGERED },
    },
    handle: async (call: AuthorizedCall) => ({ data: await triggers.test(call) }),
  }
}

const PATH = '/api/v1/webhook/{token}'
const SHARED = {
  path: PATH,
  // Some senders append a slash, or Gotify's path `/message`.
  aliases: [`${PATH}/`, `${PATH}/message`, `${PATH}/message/`],
  access: 'public',
  counted: false,
} as const

function admit(triggers: Triggers, head: Head): Handle {
  const trigger = triggers.admit(head, head.parameters[0] ?? '')
  return async call => ({ data: await trigger(requestOf(call)) })
}

function withBody(triggers: Triggers, own: Pick<Operation, 'id' | 'summary' | 'description'>) {
  return {
    body: 'bytes',
    admit: (head: Head) => admit(triggers, head),
    operation: { ...DESCRIBED, ...own, problems: [403, 404, 413, 429, 503] },
  } as const
}
