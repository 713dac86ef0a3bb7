import * as v from 'valibot'
import { PAGE_SIZE_DEFAULT } from '#contracts/bounds.ts'
import type { Writer } from '#contracts/commands.ts'
import {
  DELIVERY_STATUSES,
  DeliveryDetail,
  DeliveryResource,
  NotificationResource,
  ReplayedResource,
  ReplayFailedRequest,
  SetNotificationRequest,
} from '#contracts/notification.ts'
import { NOTIFICATION_EVENTS } from '#contracts/notification-event.ts'
import type { DeliveryFilter, DeliveryReader } from '#domain/notification/delivery-reader.ts'
import { describeDelivery, detailDelivery } from '#domain/notification/describe-notification.ts'
import { notFound } from '#domain/problem.ts'
import { Validation } from '#transport/http/body.ts'
import { encodeCursor, LIST_FIELDS, readCursor } from '#transport/http/list-query.ts'
import { EXAMPLES } from '#transport/http/openapi/examples.ts'
import type { Answer, AuthorizedCall, Operation, Route } from '#transport/http/route.ts'

export interface NotificationPorts {
  readonly writer: Writer
  readonly deliveries: DeliveryReader
  /** Says why a URL is refused as a target; null: it is allowed. */
  readonly refusalOfTarget: (url: string, isSandbox: boolean) => string | null
}

const PATH = '/api/v1/notifications'

/** Routes for the account's notification URL and for the log of deliveries. */
export function notificationRoutes(ports: NotificationPorts): Route[] {
  return [...settingRoutes(ports), ...deliveryRoutes(ports)]
}

function settingRoutes(ports: NotificationPorts): Route[] {
  const { writer } = ports
  const shared = { path: PATH, access: 'account' } as const
  const described = (own: Omit<Operation, 'tag' | 'response'>) => ({
    body: 'none' as const,
    operation: { ...own, tag: 'notifications' as const, response: NotificationResource },
  })
  return [
    {
      ...shared,
      method: 'put',
      body: 'json',
      operation: {
        id: 'setNotifications',
        tag: 'notifications',
        summary: 'Register the URL that gets notifications',
        request: SetNotificationRequest,
        response: NotificationResource,
        problems: [400, 401, 403, 413, 415, 429, 503],
        example: EXAMPLES.setNotification,
      },
      handle: (call: AuthorizedCall) => set(ports, call),
    },
    {
      ...shared,
      ...described({
        id: 'getNotifications',
        summary: 'The registered URL and whether its deliveries succeed',
        problems: [401, 429, 503],
        example: EXAMPLES.notification,
      }),
      method: 'get',
      handle: async (call: AuthorizedCall) => ({
        data: await writer.ask('notification.find', accountOf(call)),
      }),
    },
    {
      ...shared,
      ...described({
        id: 'deleteNotifications',
        summary: 'Remove the registered URL',
        problems: [401, 404, 429, 503],
        example: EXAMPLES.notification,
      }),
      method: 'delete',
      handle: async (call: AuthorizedCall) => ({
        data: await writer.ask('notification.delete', accountOf(call)),
      }),
    },
    {
      ...shared,
      ...described({
        id: 'rotateNotificationSecret',
        summary: 'Make a new signing secret',
        problems: [401, 403, 429, 503],
        example: EXAMPLES.rotateNotification,
      }),
      method: 'post',
      path: `${PATH}/rotate`,
      handle: async (call: AuthorizedCall) => ({
        data: await writer.ask('notification.rotate', accountOf(call)),
      }),
    },
    testRoute(writer),
  ]
}

function testRoute(writer: Writer): Route {
  return {
    access: 'account',
    method: 'post',
    path: `${PATH}/test`,
    body: 'none',
    operation: {
      id: 'sendTestNotification',
      tag: 'notifications',
      summary: 'Send a test event',
      response: DeliveryResource,
      problems: [401, 403, 409, 429, 503],
      example: EXAMPLES.testNotification,
    },
    handle: async (call: AuthorizedCall) => ({
      data: await writer.ask('notification.test', accountOf(call)),
    }),
  }
}

function deliveryRoutes({ writer, deliveries }: NotificationPorts): Route[] {
  return [
    {
      method: 'get',
      path: `${PATH}/deliveries`,
      access: 'account',
      body: 'none',
      operation: {
        id: 'listDeliveries',
        tag: 'notifications',
        summary: 'List deliveries, newest first',
        query: ListQuery,
        response: v.array(DeliveryResource),
        problems: [400, 401, 429, 503],
        example: EXAMPLES.deliveries,
      },
      handle: call => {
        const { deliveries: found, next } = deliveries.list(readFilter(call))
        return { data: found.map(describeDelivery), page: { nextCursor: encodeCursor(next) } }
      },
    },
    detailRoute(deliveries),
    {
      method: 'post',
      path: `${PATH}/deliveries/{id}/replay`,
      access: 'account',
      body: 'none',
      operation: {
        id: 'replayDelivery',
        tag: 'notifications',
        summary: 'Send a delivery again',
        response: DeliveryResource,
        problems: [401, 403, 404, 409, 429, 503],
        example: EXAMPLES.replayDelivery,
      },
      handle: async call => {
        const id = call.parameters[0] ?? ''
        return { data: await writer.ask('notification.replay', { ...accountOf(call), id }) }
      },
    },
    {
      method: 'post',
      path: `${PATH}/deliveries/replay`,
      access: 'account',
      body: 'json',
      operation: {
        id: 'replayFailedDeliveries',
        tag: 'notifications',
        summary: 'Send all failed deliveries since a time again',
        request: ReplayFailedRequest,
        response: ReplayedResource,
        problems: [400, 401, 403, 409, 413, 415, 429, 503],
        example: EXAMPLES.replayFailed,
      },
      handle: async call => {
        const validation = new Validation()
        const { since } = validation.complete(validation.parse(ReplayFailedRequest, call.json))
        return { data: await writer.ask('notification.replay-failed', { ...accountOf(call), since }) }
      },
    },
  ]
}

function detailRoute(deliveries: DeliveryReader): Route {
  return {
    method: 'get',
    path: `${PATH}/deliveries/{id}`,
    access: 'account',
    body: 'none',
    operation: {
      id: 'getDelivery',
      tag: 'notifications',
      summary: 'A delivery with its body and the receiver’s answers',
      response: DeliveryDetail,
      problems: [401, 404, 429, 503],
      example: EXAMPLES.delivery,
    },
    handle({ principal, parameters }) {
      const delivery = deliveries.find(principal.accountId, parameters[0] ?? '')
      if (delivery === undefined) throw notFound('delivery')
      return { data: detailDelivery(delivery) }
    },
  }
}

async function set({ writer, refusalOfTarget }: NotificationPorts, call: AuthorizedCall): Promise<Answer> {
  const validation = new Validation()
  const request = validation.parse(SetNotificationRequest, call.json)
  const fault = request === undefined ? null : refusalOfTarget(request.url, false)
  if (fault !== null) validation.add('url', fault)
  const { url, events } = validation.complete(request)
  return { data: await writer.ask('notification.set', { ...accountOf(call), url, events }) }
}

function accountOf({ principal }: AuthorizedCall) {
  return { accountId: principal.accountId }
}

const ListQuery = v.object({
  status: v.optional(v.picklist(DELIVERY_STATUSES, `must be one of ${DELIVERY_STATUSES.join(', ')}`)),
  event: v.optional(v.picklist(NOTIFICATION_EVENTS, `must be one of ${NOTIFICATION_EVENTS.join(', ')}`)),
  messageId: v.optional(v.string()),
  ...LIST_FIELDS,
})

function readFilter(call: AuthorizedCall): DeliveryFilter {
  const validation = new Validation()
  const given = new URLSearchParams(call.rawQuery)
  const parsed = validation.parseQuery(ListQuery, given)
  const before = readCursor(validation, given, place => /^\d{1,15}$/.test(place))
  const query = validation.complete(parsed)
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
