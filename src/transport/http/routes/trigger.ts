/** The routes of the secret addresses of webhooks, in Roost's own API. */
import { TriggeredResource } from '#contracts/webhook.ts'
import { EXAMPLES } from '#transport/http/openapi/examples.ts'
import type { AuthorizedCall, Call, Route } from '#transport/http/route.ts'
import { requestOf, type Triggers } from '#transport/http/trigger-webhook.ts'

/** Routes that turn a request to a webhook into texts. */
export function triggerRoutes(triggers: Triggers): Route[] {
  return [
    {
      ...shared(triggers),
      ...withBody('triggerWebhook', 'Trigger a webhook with a body of any type'),
      method: 'post',
    },
    {
      ...shared(triggers),
      ...withBody('triggerWebhookByPut', 'Trigger a webhook with a body, as POST does'),
      method: 'put',
    },
    {
      ...shared(triggers),
      method: 'get',
      body: 'none',
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

function shared(triggers: Triggers) {
  const path = '/api/v1/webhook/{token}'
  return {
    path,
    // Some senders append a slash, or Gotify's path `/message`.
    aliases: [`${path}/`, `${path}/message`, `${path}/message/`],
    access: 'public',
    counted: false,
    bodyBytesMax: ([token = '']: readonly string[]) => triggers.bodyBytesMax(token),
    handle: async (call: Call) => {
      const alert = { token: call.parameters[0] ?? '', request: requestOf(call) }
      return { data: await triggers.trigger(call, alert) }
    },
  } as const
}

function withBody(id: string, summary: string) {
  return {
    body: 'bytes',
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
