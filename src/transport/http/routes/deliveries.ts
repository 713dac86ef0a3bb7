import * as v from 'valibot'
import { PAGE_SIZE_DEFAULT } from '#contracts/bounds.ts'
import type { Writer } from '#contracts/commands.ts'
import { noted } from '#contracts/noted.ts'
import {
  DELIVERY_STATUSES,
  DeliveryDetail,
  DeliveryResource,
  ReplayedResource,
  ReplayFailedRequest,
} from '#contracts/notification.ts'
import { NOTIFICATION_EVENTS } from '#contracts/notification-event.ts'
import type { DeliveryFilter, DeliveryReader } from '#domain/notification/delivery-reader.ts'
import { describeDelivery, detailDelivery } from '#domain/notification/describe-notification.ts'
import { existing } from '#domain/problem.ts'
import { readBody } from '#transport/http/body.ts'
import { type KnownRoute, knownRoutes } from '#transport/http/known-routes.ts'
import { encodeCursor, LIST_FIELDS, readList } from '#transport/http/list-query.ts'
import { MESSAGE_ID, PHONE_NUMBER, TIME } from '#transport/http/openapi/example-values.ts'
import { referenceOf } from '#transport/http/read-change.ts'
import type { AuthorizedCall, Route } from '#transport/http/route.ts'
import type { RoutePorts } from '#transport/http/route-ports.ts'
import { accountOf } from '#transport/http/routes/notifications.ts'

type DeliveryPorts = Pick<RoutePorts, 'writer' | 'deliveries'>

const PATH = '/api/v1/notifications'

const DELIVERY = {
  id: 'evt_01KG9V0E7M4T0JH0Q4W2Z9R3XB',
  event: 'sms.delivered',
  url: 'https://example.com/hook',
  forwardId: null,
  messageId: MESSAGE_ID,
  about: PHONE_NUMBER,
  status: 'delivered',
  attempts: 1,
  lastResponseStatus: 200,
  lastError: null,
  createdAt: TIME,
  nextAttemptAt: null,
  attemptLog: [{ at: TIME, status: 200, error: null, durationMs: 84 }],
}
export const PENDING_DELIVERY = { ...DELIVERY, status: 'pending', nextAttemptAt: TIME }
const OF_DELIVERY = {
  id: { description: 'Id of the delivery, from the list of deliveries.', example: DELIVERY.id },
}

/** Routes for the log of deliveries, and for a test event, which makes a delivery. */
export function deliveryRoutes({ writer, deliveries }: DeliveryPorts): Route[] {
  return knownRoutes({ tag: 'notifications', role: 'owner' }, [
    {
      method: 'get',
      path: `${PATH}/deliveries`,
      operation: {
        id: 'listDeliveries',
        summary: 'List deliveries, newest first',
        description:
          'Deliveries are kept for 30 days. For the next page, send `nextCursor` as `cursor` until it is ' +
          'null.',
        query: ListQuery,
        response: v.array(DeliveryResource),
        example: { data: [DELIVERY] },
      },
      handle: call => {
        const { deliveries: found, next } = deliveries.list(readFilter(call))
        return { data: found.map(describeDelivery), page: { nextCursor: encodeCursor(next) } }
      },
    },
    detailRoute(deliveries),
    testRoute(writer),
    {
      method: 'post',
      path: `${PATH}/deliveries/{id}/replay`,
      operation: {
        id: 'replayDelivery',
        summary: 'Send a delivery again',
        description:
          'Sends the same body with the same X-Webhook-Id again. 409: the account URL to which the ' +
          'delivery would go is disabled or no longer registered.',
        parameters: OF_DELIVERY,
        response: DeliveryResource,
        problems: [403, 409],
        example: { data: PENDING_DELIVERY },
      },
      handle: async call => ({ data: await writer.ask('notification.replay', referenceOf(call), call.by) }),
    },
    replayFailedRoute(writer),
  ])
}

function replayFailedRoute(writer: Writer): KnownRoute {
  return {
    method: 'post',
    path: `${PATH}/deliveries/replay`,
    operation: {
      id: 'replayFailedDeliveries',
      summary: 'Send all failed deliveries since a time again',
      description:
        'Repeats at most 10,000 deliveries; call again while `more` is true. Left out is what has nowhere ' +
        'to go, because its URL or forward is disabled or gone. 409: no URL and no forward is ' +
        'enabled.',
      request: ReplayFailedRequest,
      response: ReplayedResource,
      problems: [403, 409],
      example: { request: { since: TIME }, data: { replayed: 12, more: false } },
    },
    handle: async call => {
      const { since } = readBody(ReplayFailedRequest, call.json)
      return { data: await writer.ask('notification.replay-failed', { ...accountOf(call), since }, call.by) }
    },
  }
}

function detailRoute(deliveries: DeliveryReader): KnownRoute {
  return {
    method: 'get',
    path: `${PATH}/deliveries/{id}`,
    operation: {
      id: 'getDelivery',
      summary: 'A delivery with its body and the receiver’s answers',
      description:
        'The delivery with the body that was sent and, for each of the latest attempts, the first 1,024 ' +
        'bytes of the answer.',
      parameters: OF_DELIVERY,
      response: DeliveryDetail,
      example: {
        data: {
          ...DELIVERY,
          body: '{"event":"sms.delivered"}',
          attempts: [{ at: TIME, status: 200, error: null, durationMs: 84, answer: 'ok' }],
        },
      },
    },
    handle: call => ({ data: detailDelivery(existing(deliveries, referenceOf(call), 'delivery')) }),
  }
}

function testRoute(writer: Writer): KnownRoute {
  return {
    method: 'post',
    path: `${PATH}/test`,
    operation: {
      id: 'sendTestNotification',
      summary: 'Send a test event',
      description:
        'Posts an event whose `data` holds `test: true` to the registered URL. 409: no URL is registered, ' +
        'or it is disabled.',
      response: DeliveryResource,
      problems: [403, 409],
      example: { data: { ...PENDING_DELIVERY, event: 'sms.sent' } },
    },
    handle: async (call: AuthorizedCall) => ({
      data: await writer.ask('notification.test', accountOf(call), call.by),
    }),
  }
}

const ListQuery = v.object({
  status: noted(
    v.optional(v.picklist(DELIVERY_STATUSES, `must be one of ${DELIVERY_STATUSES.join(', ')}`)),
    'List only entries with this status.',
  ),
  event: noted(
    v.optional(v.picklist(NOTIFICATION_EVENTS, `must be one of ${NOTIFICATION_EVENTS.join(', ')}`)),
    'List only events of this type.',
  ),
  messageId: noted(v.optional(v.string()), 'List only events of this message.', MESSAGE_ID),
  ...LIST_FIELDS,
})

function readFilter(call: AuthorizedCall): DeliveryFilter {
  const { query, before } = readList(ListQuery, call)
  return {
    accountId: call.principal.accountId,
    status: query.status ?? null,
    event: query.event ?? null,
    messageId: query.messageId ?? null,
    since: query.since ?? null,
    until: query.until ?? null,
    before: before === null ? null : Number(before),
    limit: query.limit ?? PAGE_SIZE_DEFAULT,
  }
}
