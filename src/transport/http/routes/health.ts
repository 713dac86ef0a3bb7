import * as v from 'valibot'
import type { Writer } from '#contracts/commands.ts'
import { noted } from '#contracts/noted.ts'
import { Problem } from '#domain/problem.ts'
import type { Route } from '#transport/http/route.ts'

/** `/readyz` tests at most this often whether the database accepts a write. */
export const READY_CHECKED_EVERY_MS = 1_000

const Health = v.object({ status: noted(v.literal('ok'), 'The current state.') })
const Readiness = v.object({ status: noted(v.literal('ready'), 'The current state.') })

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
        description: 'Shows only that the process answers. To check the database as well, call /readyz.',
        response: Health,
        problems: [],
        example: { data: { status: 'ok' } },
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
        description:
          'Writes an empty change to the database. 503: the thread that writes, or its disk, does not ' +
          'answer.',
        response: Readiness,
        problems: [503],
        example: { data: { status: 'ready' } },
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
