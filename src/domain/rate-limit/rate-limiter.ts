/** The answer of the rate limiter: whether the call is allowed, and the state of the bucket after it. */
export interface RateDecision {
  readonly allowed: boolean
  /** Calls a minute; -1: unlimited. */
  readonly limit: number
  readonly remaining: number
  /** Wall clock: when the bucket is full again. */
  readonly resetAtMs: number
  /** Milliseconds until the next call is allowed. 0: now. */
  readonly retryAfterMs: number
}

export type BucketKind = 'account' | 'address'

/** Token buckets that all threads share. The capacity is the calls per minute; the bucket refills evenly. */
export interface RateLimiter {
  /**
   * Takes one call from the bucket of a key. One client may have several limits, such as one for its calls
   * and one for its failed logins. A prefix then gives each limit its own key. When the limit of a key
   * changes, its bucket stays filled in proportion.
   */
  take(kind: BucketKind, key: string, limitPerMinute: number): RateDecision
  /** Like `take`, but takes no call. */
  peek(kind: BucketKind, key: string, limitPerMinute: number): RateDecision
}
