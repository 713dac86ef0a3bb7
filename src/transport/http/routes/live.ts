import { LIVE_SUBPROTOCOL, NewsFrame } from '#contracts/live.ts'
import { invalid } from '#domain/problem.ts'
import { EXAMPLES } from '#transport/http/openapi/examples.ts'
import type { Route } from '#transport/http/route.ts'

/** News over a WebSocket; the description documents its frames. */
export function liveRoutes(): Route[] {
  return [
    {
      // Reached only without an upgrade: a browser, or a proxy that does not pass it on.
      method: 'get',
      path: '/api/v1/live',
      access: 'public',
      body: 'none',
      operation: {
        id: 'watchNews',
        tag: 'sessions',
        summary: 'News as a WebSocket: a frame as below whenever something changed',
        response: NewsFrame,
        problems: [400, 401, 403, 429, 503],
        example: EXAMPLES.live,
        bare: 'application/json',
      },
      handle: () => {
        const message = `this is a WebSocket (${LIVE_SUBPROTOCOL}): upgrade, and let proxies pass it on`
        throw invalid([{ path: 'Upgrade', message }])
      },
    },
  ]
}
