import * as v from 'valibot'
import type { Writer } from '#contracts/commands.ts'
import { Problem } from '#domain/problem.ts'
import { EXAMPLES } from '#transport/http/openapi/examples.ts'
import type { Route } from '#transport/http/route.ts'

/** `/readyz` tests at most this often whether the database accepts a write. */
export const READY_CHECKED_EVERY_MS = 1_000

const Health = v.object({ status: v.literal('ok') })
const Readiness = v.object({ status: v.literal('ready') })

/** The health-check routes. */
export function healthRoutes({ writer }: { readonly writer: Writer }): Route[] {
  let checkedAt = Number.NEGATIVE_INFINITY
  let lastCheck: Promise<unknown> = Promise.resolve()
  // A check writes to the database, so all requests within a second share one result, even a refusal.
  const check = (): Promise<unknown> => {
    if (performance.now() - checkedAt < READY_CHECKED_EVERY_MS) return lastCheck
    checkedAt = performance.now()
    lastCheck = writer.ask('gateway.check', {})
    return lastCheck
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
        summary: 'Whether the process answers',
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
        summary: 'Whether the database accepts writes and the gateway is not stopping',
        response: Readiness,
        problems: [503],
        example: EXAMPLES.readiness,
      },
      handle: async () => {
        // The writer answers after a commit, so an answer proves that the disk accepts writes.
        await check().catch(error => {
          if (error instanceof Problem && error.code === 'SERVICE_UNAVAILABLE') throw error
          throw new Problem('SERVICE_UNAVAILABLE', 'the database accepts no writes', { retryAfterS: 5 })
        })
        return { data: { status: 'ready' } }
      },
    },
  ]
}
