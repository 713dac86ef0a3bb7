import type { Writer } from '#contracts/commands.ts'
import { StatusResource } from '#contracts/health.ts'
import { instant } from '#domain/time.ts'
import { knownRoutes } from '#transport/http/known-routes.ts'
import { DEVICE_ID, TIME } from '#transport/http/openapi/example-values.ts'
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
  return knownRoutes({ tag: 'gateway', role: 'viewer' }, [
    {
      method: 'get',
      path: '/api/v1/status',
      operation: {
        id: 'getStatus',
        summary: 'State and problems of the gateway',
        description:
          'Problems of the account and of the whole gateway, the most severe first. `roost status`, the ' +
          'metric `roost_problem` and the console use the same rules. An open console page gets each ' +
          'change as the news `problem`.',
        response: StatusResource,
        example: {
          data: {
            version: '1.2.3',
            startedAt: '2026-01-01T08:00:00.000Z',
            time: TIME,
            publicUrl: 'http://192.168.1.10:8080',
            problems: [
              {
                code: 'BATTERY_LOW',
                severity: 'warning',
                since: '2026-01-31T11:42:10.000Z',
                subject: DEVICE_ID,
                message: 'The battery of Kitchen phone is at 18 % and does not charge',
                fix: 'Plug Kitchen phone in, and check its charger and cable.',
                words: {
                  message: {
                    english: 'The battery of {name} is at {percent} % and does not charge',
                    values: { name: 'Kitchen phone', percent: 18 },
                  },
                  fix: {
                    english: 'Plug {name} in, and check its charger and cable.',
                    values: { name: 'Kitchen phone' },
                  },
                },
              },
            ],
          },
        },
      },
      handle: async ({ principal }) => {
        const problems = await writer.ask('health.list', { accountId: principal.accountId })
        return { data: { version, startedAt, time: instant(wallMs()), publicUrl, problems } }
      },
    },
  ])
}
