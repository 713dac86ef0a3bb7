import type { AttemptResult } from '#contracts/notification-attempt.ts'

/** Waits before the first, second, … attempt to deliver a notification: 27.6 hours in all. */
export const NOTIFICATION_RETRY_DELAYS_MS: readonly number[] = [
  0, 5_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000, 36_000_000,
]
/** Each wait varies by up to a fifth, so that deliveries that failed together are not retried together. */
const NOTIFICATION_RETRY_JITTER = 0.2
/** Delay after an attempt that was not made, because the gateway was full or stopping. */
const NOTIFICATION_POSTPONE_MS = 1_000

import { NOTIFICATION_RETRY_AFTER_MS_MAX } from '#contracts/bounds.ts'

/** What to do with a notification and its target after an attempt. */
export type AttemptDecision =
  | { readonly kind: 'delivered' }
  /**
   * Try again. `counted` is false if the gateway was full or stopping: such an attempt is not part of the
   * schedule.
   */
  | { readonly kind: 'retry'; readonly delayMs: number; readonly counted: boolean }
  /** The schedule is used up; the target stays enabled. */
  | { readonly kind: 'failed' }
  /** The notification has failed, and its target must be disabled. */
  | { readonly kind: 'disable'; readonly reason: 'GONE' | 'FAILING' }

export interface AttemptContext {
  /** Attempts made so far, this one included. */
  readonly attempt: number
  /** A random number from 0 to 1. */
  readonly random: number
  /** Whether the target is given up if this attempt fails, too. */
  readonly isLastChance: boolean
}

/**
 * How long to wait before the next attempt, with the jitter of the schedule. Null: no attempt is left.
 *
 * @param attempt the number of attempts so far; after 0 attempts the next one is immediate
 * @param random 0 to 1
 */
export function nextAttemptDelayMs(attempt: number, random: number): number | null {
  const delayMs = NOTIFICATION_RETRY_DELAYS_MS[attempt]
  if (delayMs === undefined) return null
  return Math.round(delayMs * (1 + NOTIFICATION_RETRY_JITTER * (2 * random - 1)))
}

/** Decides what to do after an attempt. Only a complete answer with a 2xx status is a success. */
export function decideAfterAttempt(result: AttemptResult, context: AttemptContext): AttemptDecision {
  if (result.error === 'OVERLOADED' || result.error === 'STOPPED') {
    return { kind: 'retry', delayMs: NOTIFICATION_POSTPONE_MS, counted: false }
  }
  const status = result.outcome === 'response' ? (result.status ?? 0) : 0
  if (status >= 200 && status < 300) return { kind: 'delivered' }
  if (status === 410) return { kind: 'disable', reason: 'GONE' }
  if (context.isLastChance) return { kind: 'disable', reason: 'FAILING' }
  const scheduledMs = nextAttemptDelayMs(context.attempt, context.random)
  if (scheduledMs === null) return { kind: 'failed' }
  const pauseMs = requestedPauseMs(status, result) ?? scheduledMs
  const delayMs = context.attempt === 1 ? pauseMs : Math.max(scheduledMs, pauseMs)
  return { kind: 'retry', delayMs, counted: true }
}

/**
 * The pause that the receiver asked for, or null. A pause above zero replaces the first wait. It can lengthen
 * later waits but not shorten them: otherwise a receiver that asks for "one second" eight times would use up
 * all attempts before it works again.
 */
function requestedPauseMs(status: number, { retryAfterMs }: AttemptResult): number | null {
  if (retryAfterMs === null || retryAfterMs === 0 || (status !== 429 && status !== 503)) return null
  return Math.min(retryAfterMs, NOTIFICATION_RETRY_AFTER_MS_MAX)
}
