import * as v from 'valibot'
import { ForgottenReading, ReadingResource, ReadingShape, SettledRoles } from '#contracts/alert-reading.ts'
import { existing } from '#domain/problem.ts'
import { describeReading } from '#domain/webhook/describe-webhook.ts'
import { Validation } from '#transport/http/body.ts'
import { knownRoutes } from '#transport/http/known-routes.ts'
import { READ, TIME } from '#transport/http/openapi/example-values.ts'
import { referenceOf } from '#transport/http/read-change.ts'
import type { AuthorizedCall, Route } from '#transport/http/route.ts'
import type { RoutePorts } from '#transport/http/route-ports.ts'
import { OF_WEBHOOK } from '#transport/http/routes/webhooks.ts'

type ReadingPorts = Pick<RoutePorts, 'writer' | 'webhooks'>

const ROLES = { thing: 'monitor', state: 'status', reason: 'message' }
const OVER = ['up', 'ok']
const SETTLED = {
  shape: READ.shape,
  match: ['monitor', 'status', 'message'],
  ...ROLES,
  over: OVER,
  settledAt: TIME,
}
const OF_READING = {
  ...OF_WEBHOOK,
  shape: { description: 'Shape of the alerts, from the list of triggers.', example: READ.shape },
}

/** The routes by which an owner settles how the alerts of a webhook are read. */
export function readingRoutes({ writer, webhooks }: ReadingPorts): Route[] {
  return knownRoutes({ tag: 'webhooks', role: 'operator' }, [
    {
      method: 'get',
      path: '/api/v1/webhooks/{id}/readings',
      role: 'viewer',
      operation: {
        id: 'listReadings',
        summary: 'List what is settled about the alerts of a webhook',
        description: 'The newest first.',
        parameters: OF_WEBHOOK,
        response: v.array(ReadingResource),
        example: { data: [SETTLED] },
      },
      handle(call) {
        const { readings } = existing(webhooks, referenceOf(call), 'webhook')
        const newestFirst = Object.entries(readings).sort(([, one], [, other]) => other.at - one.at)
        return { data: newestFirst.map(([shape, reading]) => describeReading(shape, reading)) }
      },
    },
    {
      method: 'put',
      path: '/api/v1/webhooks/{id}/readings/{shape}',
      operation: {
        id: 'settleReading',
        summary: 'Settle which fields say what, for all alerts of a shape',
        description:
          'From the next trigger on, all bodies of this shape are read by these paths. Roost still words ' +
          'the text, and always tells what is chosen here. A role that is left out or null stays as Roost ' +
          'reads it; an empty body settles the shape as its last body was read. With `over`, the field of ' +
          'the state alone decides whether the problem is over; of a list, all items must be. 400 names a ' +
          'path that the last body of the shape does not have. 409: the webhook has 50 settled readings; ' +
          'delete one first.',
        parameters: OF_READING,
        request: SettledRoles,
        response: ReadingResource,
        problems: [409],
        example: { request: { ...ROLES, over: OVER }, data: SETTLED },
      },
      handle: async call => ({ data: await writer.ask('webhook.settle', readSettled(call), call.by) }),
    },
    {
      method: 'delete',
      path: '/api/v1/webhooks/{id}/readings/{shape}',
      operation: {
        id: 'deleteReading',
        summary: 'Forget what is settled about alerts of a shape',
        description: 'Roost reads bodies of this shape by itself again. 404: nothing is settled for it.',
        parameters: OF_READING,
        response: ForgottenReading,
        example: { data: { shape: READ.shape } },
      },
      handle: async call => ({ data: await writer.ask('webhook.forget', reference(call), call.by) }),
    },
  ])
}

function reference({ principal, parameters: [webhookId = '', shape = ''] }: AuthorizedCall) {
  return { accountId: principal.accountId, webhookId, shape }
}

function readSettled(call: AuthorizedCall) {
  const validation = new Validation()
  const which = reference(call)
  const shape = v.safeParse(ReadingShape, which.shape)
  if (!shape.success) validation.add('shape', shape.issues[0].message)
  return { ...which, roles: validation.complete(validation.parse(SettledRoles, call.json)) }
}
