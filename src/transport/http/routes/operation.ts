import * as v from 'valibot'
import { READY_LOOK_MS } from '#contracts/bounds.ts'
import type { Writer } from '#contracts/commands.ts'
import { Problem } from '#domain/problem.ts'
import { EXAMPLES } from '#transport/http/openapi/examples.ts'
import type { Route } from '#transport/http/route.ts'

const Health = v.object({ status: v.literal('ok') })
const Readiness = v.object({ status: v.literal('ready') })

/** Health checks for monitoring. */
export function operationRoutes({ writer }: { readonly writer: Writer }): Route[] {
  let lookedAt = Number.NEGATIVE_INFINITY
  let looked: Promise<unknown> = Promise.resolve()
  // It writes to the database, so all requests within a second share one answer, also a refusal.
  const look = (): Promise<unknown> => {
    if (performance.now() - lookedAt < READY_LOOK_MS) return looked
    lookedAt = performance.now()
    looked = writer.ask('gateway.check', {})
    return looked
  }
  return [
    {
      method: 'get',
      path: '/healthz',
      access: 'public',
      body: 'none',
      operation: {
        id: 'getHealth',
        tag: 'gateway',
        summary: 'The process answers',
        response: Health,
        problems: [],
        example: EXAMPLES.health,
      },
      handle: () => ({ data: { status: 'ok' } }),
    },
    {
      method: 'get',
      path: '/readyz',
      access: 'public',
      body: 'none',
      operation: {
        id: 'getReadiness',
        tag: 'gateway',
        summary: 'The database takes writes, and the gateway is not stopping',
        response: Readiness,
        problems: [503],
        example: EXAMPLES.readiness,
      },
      handle: async () => {
        // The writer's answer comes after a commit: it is alive and its disk takes writes.
        await look().catch(error => {
          if (error instanceof Problem && error.code === 'SERVICE_UNAVAILABLE') throw error
          throw new Problem('SERVICE_UNAVAILABLE', 'the database takes no writes', { retryAfterS: 5 })
        })
        return { data: { status: 'ready' } }
      },
    },
  ]
}
