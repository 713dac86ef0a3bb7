import { LIVE_SUBPROTOCOL, NewsFrame } from '#contracts/live.ts'
import { invalid } from '#domain/problem.ts'
import { EXAMPLES } from '#transport/http/openapi/examples.ts'
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
        response: NewsFrame,
        problems: [400, 401, 403, 429, 503],
        example: EXAMPLES.live,
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
