/** The routes of the secret addresses of webhooks, in Roost's own API. */
import { TriggeredResource } from '#contracts/webhook.ts'
import { EXAMPLES } from '#transport/http/openapi/examples.ts'
import type { AuthorizedCall, Call, Handle, Head, Route } from '#transport/http/route.ts'
import { requestOf, type Triggers } from '#transport/http/trigger-webhook.ts'

/** Routes that turn a request to a webhook into texts. */
export function triggerRoutes(triggers: Triggers): Route[] {
  return [
    {
      ...SHARED,
      ...withBody(triggers, 'triggerWebhook', 'Trigger a webhook with a body of any type'),
      method: 'post',
    },
    {
      ...SHARED,
      ...withBody(triggers, 'triggerWebhookByPut', 'Trigger a webhook with a body, as POST does'),
      method: 'put',
    },
    {
      ...SHARED,
      method: 'get',
      body: 'none',
      handle: (call: Call) => admit(triggers, call)(call),
      operation: {
        id: 'triggerWebhookByGet',
        tag: 'alerts',
        summary: 'Trigger a webhook with a query',
        response: TriggeredResource,
        problems: [403, 404, 429, 503],
        example: EXAMPLES.trigger,
      },
    },
    testRoute(triggers),
  ]
}

/** The route by which the owner of a webhook tries it, without its secret address. */
function testRoute(triggers: Triggers): Route {
  return {
    method: 'post',
    path: '/api/v1/webhooks/{id}/test',
    access: 'account',
    body: 'none',
    operation: {
      id: 'testWebhook',
      tag: 'webhooks',
      summary: 'Send a test text to the recipients of a webhook',
      response: TriggeredResource,
      problems: [401, 404, 409, 429, 503],
      example: EXAMPLES.trigger,
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

function withBody(triggers: Triggers, id: string, summary: string) {
  return {
    body: 'bytes',
    admit: (head: Head) => admit(triggers, head),
    operation: {
      id,
      tag: 'alerts',
      summary,
      response: TriggeredResource,
      problems: [403, 404, 413, 429, 503],
      example: EXAMPLES.trigger,
    },
  } as const
}
