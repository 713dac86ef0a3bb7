import type { AccountBound } from '#contracts/account-bounds.ts'
import type { OwnedReference } from '#contracts/owned.ts'
import type { Issue, ProblemCode, ProblemData, ProblemDetails } from '#contracts/problem.ts'
import type { OwnedRows } from '#domain/owned-store.ts'
import { instant } from '#domain/time.ts'

/** A refusal whose code and message the caller gets. Each protocol has a table from codes to its answers. */
export class Problem extends Error {
  readonly code: ProblemCode
  readonly details: ProblemDetails | undefined

  constructor(code: ProblemCode, message: string, details?: ProblemDetails) {
    super(message)
    this.name = 'Problem'
    this.code = code
    this.details = details
  }

  /** The same refusal as plain data, for another thread. */
  toData(): ProblemData {
    const { code, message, details } = this
    return details === undefined ? { code, message } : { code, message, details }
  }

  static from(data: ProblemData): Problem {
    return new Problem(data.code, data.message, data.details)
  }
}

/** The refusal while the disk has no room for a message. */
export function diskFull(): Problem {
  const message = 'the disk is full or busy, so nothing was accepted: make room, then try again'
  return new Problem('SERVICE_UNAVAILABLE', message, { retryAfterS: 30 })
}

/** The refusal of invalid input. Its message is the first issue; `details` has all of them. */
export function invalid(issues: readonly Issue[]): Problem {
  const first = issues[0]
  if (first === undefined) return new Problem('INVALID_REQUEST', 'the request is not valid', { issues })
  const message = first.path === '' ? first.message : `${first.path}: ${first.message}`
  return new Problem('INVALID_REQUEST', message, { issues })
}

/** The refusal "there is no such `what`". */
export function notFound(what: string): Problem {
  return new Problem('NOT_FOUND', `there is no such ${what}`)
}

/** The thing of the account with this id. `word`: its name in the refusal. @throws Problem NOT_FOUND */
export function existing<Thing>(
  rows: Pick<OwnedRows<Thing>, 'find'>,
  { accountId, id }: OwnedReference,
  word: string,
): Thing {
  const found = rows.find(accountId, id)
  if (found === undefined) throw notFound(word)
  return found
}

/**
 * Refuses a further one of what an account may hold only so many of.
 *
 * @throws Problem CONFLICT
 */
export function checkBound(bound: FullBound, held: number): void {
  if (held >= bound.most) throw new Problem('CONFLICT', whyFull(bound))
}

export type FullBound = Pick<AccountBound, 'most'> & { readonly full: string }

/** Why there is no room for a further one. */
export function whyFull({ most, full }: FullBound): string {
  return full.replace('{}', String(most))
}

/** The state of a limit that a request would exceed. A `RateDecision` has this shape. */
export interface LimitState {
  readonly limit: number
  /** What is left of the limit; absent: 0. */
  readonly remaining?: number
  /** Wall clock: when the whole limit is available again. */
  readonly resetAtMs: number
  readonly retryAfterMs: number
}

/** The refusal of a request that would exceed a limit. */
export function limitReached(message: string, state: LimitState): Problem {
  const { limit, remaining = 0, resetAtMs, retryAfterMs } = state
  return new Problem('RATE_LIMIT_EXCEEDED', message, {
    limit,
    used: limit - remaining,
    resetAt: instant(resetAtMs),
    retryAfterS: retryAfterMs / 1000,
  })
}

/** The refusal of new work while the gateway stops. */
export function gatewayStopping(): Problem {
  return new Problem('SERVICE_UNAVAILABLE', 'the gateway is stopping: try again in 5 s', { retryAfterS: 5 })
}

/** The refusal of a gateway that led its cluster and ends. */
export function leadsNoLonger(): Problem {
  const message = 'this gateway no longer leads its cluster: try again in 5 s'
  return new Problem('SERVICE_UNAVAILABLE', message, { retryAfterS: 5, leader: null })
}

/**
 * For a phone that calls a gateway without any phone. Such a gateway is probably new, and its data still has
 * to be copied. An answer that the phone is not known would make people throw its identity away.
 */
export function noDevices(): Problem {
  const sentence = 'no phone was ever paired with this gateway: if it has moved, start it with its old data'
  return new Problem('SERVICE_UNAVAILABLE', sentence, { retryAfterS: 60 })
}
