/** The state of a bucket after one call. */
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
   * Takes one call from the bucket of a key. If keys of one kind have different limits, a prefix of the key
   * tells them apart. When the limit of a key changes, its bucket stays filled in proportion.
   */
  take(kind: BucketKind, key: string, limitPerMinute: number): Take
  /** The same without taking anything. */
  peek(kind: BucketKind, key: string, limitPerMinute: number): Take
}
