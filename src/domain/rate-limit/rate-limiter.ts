/** The state of a bucket after one look at it. */
export interface Take {
  readonly allowed: boolean
  /** Calls a minute; -1: unlimited. */
  readonly limit: number
  readonly remaining: number
  /** Wall clock: when the bucket is full again. */
  readonly resetAtMs: number
  /** Until the next call would be allowed; 0 when it is now. */
  readonly retryAfterMs: number
}

export type BucketKind = 'account' | 'address'

/** Token buckets shared by all threads: capacity = calls a minute, refilled evenly. */
export interface RateLimiter {
  /**
   * Takes one call out of the bucket of a key. Different limits among one sort of keys are told apart by a
   * prefix of the key. When the limit of a key changes, its bucket stays as full as it was, in proportion.
   */
  take(kind: BucketKind, key: string, limitPerMinute: number): Take
  /** The same without taking anything. */
  peek(kind: BucketKind, key: string, limitPerMinute: number): Take
}
