import type { Writer } from '#contracts/commands.ts'
import { StatusResource } from '#contracts/health.ts'
import { instant } from '#domain/time.ts'
import { EXAMPLES } from '#transport/http/openapi/examples.ts'
import type { Route } from '#transport/http/route.ts'

export interface StatusPorts {
  readonly writer: Writer
  readonly version: string
  /** ISO 8601. */
  readonly startedAt: string
  readonly publicUrl: string
  readonly wallMs: () => number
}

/** The route for state and problems of the gateway. */
export function statusRoutes({ writer, version, startedAt, publicUrl, wallMs }: StatusPorts): Route[] {
  return [
    {
      method: 'get',
      path: '/api/v1/status',
      access: 'account',
      body: 'none',
      operation: {
        id: 'getStatus',
        tag: 'gateway',
        summary: 'State and problems of the gateway',
        response: StatusResource,
        problems: [401, 429, 503],
        example: EXAMPLES.status,
      },
      handle: async ({ principal }) => {
        const problems = await writer.ask('health.list', { accountId: principal.accountId })
        return { data: { version, startedAt, time: instant(wallMs()), publicUrl, problems } }
      },
    },
  ]
}
