import { NotificationResource, SetNotificationRequest } from '#contracts/notification.ts'
import { Validation } from '#transport/http/body.ts'
import { type KnownRoute, knownRoutes } from '#transport/http/known-routes.ts'
import type { Answer, AuthorizedCall, Route } from '#transport/http/route.ts'
import type { RoutePorts } from '#transport/http/route-ports.ts'

type NotificationPorts = Pick<RoutePorts, 'writer' | 'refusalOfTarget'>

const PATH = '/api/v1/notifications'

const NOTIFICATION = {
  url: 'https://example.com/hook',
  events: ['sms.delivered', 'sms.failed'],
  enabled: true,
  secret: null,
  disabledReason: null,
  disabledAt: null,
  failingSince: null,
}
const SECRET = 'whsec_EXAMPLE'

/** Routes for the account's notification URL. */
export function notificationRoutes(ports: NotificationPorts): Route[] {
  const { writer } = ports
  return knownRoutes({ tag: 'notifications', role: 'owner' }, [
    setRoute(ports),
    {
      method: 'get',
      path: PATH,
      operation: {
        id: 'getNotifications',
        summary: 'The registered URL and whether its deliveries succeed',
        description:
          'When no URL is registered, every field is null or empty. `failingSince` is set while deliveries ' +
          'fail.',
        response: NotificationResource,
        example: { data: NOTIFICATION },
      },
      handle: async (call: AuthorizedCall) => ({
        data: await writer.ask('notification.find', accountOf(call)),
      }),
    },
    {
      method: 'delete',
      path: PATH,
      operation: {
        id: 'deleteNotifications',
        summary: 'Remove the registered URL',
        description:
          'Returns the registration that was removed. Its waiting deliveries are cancelled. 404: no URL ' +
          'was registered.',
        problems: [404],
        response: NotificationResource,
        example: { data: NOTIFICATION },
      },
      handle: async (call: AuthorizedCall) => ({
        data: await writer.ask('notification.delete', accountOf(call), call.by),
      }),
    },
    {
      method: 'post',
      path: `${PATH}/rotate`,
      operation: {
        id: 'rotateNotificationSecret',
        summary: 'Make a new signing secret',
        description:
          'Every request from now on is signed with the new secret, also the repeats of older deliveries.',
        problems: [403],
        response: NotificationResource,
        example: { data: { ...NOTIFICATION, secret: SECRET } },
      },
      handle: async (call: AuthorizedCall) => ({
        data: await writer.ask('notification.rotate', accountOf(call), call.by),
      }),
    },
  ])
}

function setRoute(ports: NotificationPorts): KnownRoute {
  return {
    path: PATH,
    method: 'put',
    operation: {
      id: 'setNotifications',
      summary: 'Register the URL that gets notifications',
      description:
        'The answer holds the secret only if no earlier answer has shown it. 403: the plan has no ' +
        'notifications. 400: the URL leads to a forbidden target, such as the computer of the gateway ' +
        'itself.',
      request: SetNotificationRequest,
      response: NotificationResource,
      problems: [403],
      example: {
        request: { url: NOTIFICATION.url, events: NOTIFICATION.events },
        data: { ...NOTIFICATION, secret: SECRET },
      },
    },
    handle: (call: AuthorizedCall) => set(ports, call),
  }
}

async function set({ writer, refusalOfTarget }: NotificationPorts, call: AuthorizedCall): Promise<Answer> {
  const validation = new Validation()
  const request = validation.parse(SetNotificationRequest, call.json)
  const fault = request === undefined ? null : refusalOfTarget(request.url, false)
  if (fault !== null) validation.add('url', fault)
  const { url, events } = validation.complete(request)
  return { data: await writer.ask('notification.set', { ...accountOf(call), url, events }, call.by) }
}

/** The account of a call, as the writer's commands take it. */
export function accountOf({ principal }: AuthorizedCall) {
  return { accountId: principal.accountId }
}
