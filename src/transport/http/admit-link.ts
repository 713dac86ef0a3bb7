import { SETUP_FAILURES_PER_MINUTE } from '#contracts/bounds.ts'
import { limitReached, notFound } from '#domain/problem.ts'
import type { FailureCounter } from '#transport/http/failure-counter.ts'
import type { Call } from '#transport/http/route.ts'

export interface LinkPorts {
  /** Wrong tokens of links by address, shared by all listeners. */
  readonly failures: FailureCounter
  readonly wallMs: () => number
}

interface Link {
  readonly what: string
  readonly known: () => boolean
}

/**
 * Checks the token of a link that works once, because hashing the password takes long.
 *
 * @throws Problem NOT_FOUND for a wrong token; RATE_LIMIT_EXCEEDED after too many wrong ones
 */
export function admitLink({ failures, wallMs }: LinkPorts, call: Call, { what, known }: Link): void {
  const address = call.client().bucketKey
  const waitMs = failures.waitMs(address)
  if (waitMs > 0)
    throw limitReached(`too many wrong ${what}s from this address`, {
      limit: SETUP_FAILURES_PER_MINUTE,
      resetAtMs: wallMs() + waitMs,
      retryAfterMs: waitMs,
    })
  if (known()) return
  failures.add(address)
  throw notFound(what)
}
