import { LIVE_SUBPROTOCOL, NewsFrame } from '#contracts/live.ts'
import { invalid } from '#domain/problem.ts'
import { DEVICE_ID, MESSAGE_ID, TIME } from '#transport/http/openapi/example-values.ts'
import type { Route } from '#transport/http/route.ts'

/** The route of live news. OpenAPI describes its frames; `transport/live` serves the WebSocket. */
export function liveRoutes(): Route[] {
  return [
    {
      // Reached only without an upgrade, for example from a browser or through a proxy that drops the
      // upgrade.
      method: 'get',
      path: '/api/v1/live',
      access: 'public',
      body: 'none',
      operation: {
        id: 'watchNews',
        tag: 'sessions',
        summary: 'Live news over a WebSocket: a frame, as described here, whenever something changes',
        description:
          'WebSocket with the subprotocol roost.live.v1. Log in with an account token in the header ' +
          'Authorization. A console page logs in with its cookie and sends `{"half": …}` as the first ' +
          'frame within 5 s; its Origin must be the gateway. A piece of news tells only what changed, and ' +
          'holds no text, phone number or secret. The gateway sends at most 4 frames a second with at most ' +
          '50 pieces of news each; for more, it sends one `resync` instead. An account can open 16 ' +
          'sockets. The gateway closes the socket with 4401 when the session ends.',
        response: NewsFrame,
        problems: [400, 401, 403, 429, 503],
        example: {
          data: {
            news: [
              {
                type: 'message',
                id: MESSAGE_ID,
                status: 'sent',
                at: TIME,
                deviceId: DEVICE_ID,
                failure: null,
              },
              { type: 'device', id: DEVICE_ID },
            ],
          },
        },
        bare: 'application/json',
      },
      handle: () => {
        const fix = 'send an upgrade request, and let proxies pass it on'
        const message = `this path is a WebSocket (${LIVE_SUBPROTOCOL}): ${fix}`
        throw invalid([{ path: 'Upgrade', message }])
      },
    },
  ]
}
