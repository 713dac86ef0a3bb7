/** What one attempt to deliver a notification came to: the sender writes it, the domain judges it. */

/**
 * Why no whole answer came. The codes are shown in the delivery log and never change their meaning.
 * `OVERLOADED` and `STOPPED` mean that nothing was sent on account of the gateway itself.
 */
export const DELIVERY_ERRORS = [
  'REFUSED_TARGET',
  'DNS',
  'CONNECT_TIMEOUT',
  'CONNECTION_REFUSED',
  'UNREACHABLE',
  'TLS',
  'TLS_UNTRUSTED',
  'TLS_EXPIRED',
  'TLS_NAME_MISMATCH',
  'TIMEOUT',
  'RESET',
  'PROTOCOL',
  'OTHER',
  'OVERLOADED',
  'STOPPED',
] as const
export type DeliveryError = (typeof DELIVERY_ERRORS)[number]

export interface AttemptResult {
  /** `response` when the answer came whole, or as much of it as is read. */
  readonly outcome: 'response' | 'error'
  /** Also with an error, when the status line had come before it. */
  readonly status: number | null
  /** Null with `response`. */
  readonly error: DeliveryError | null
  /** What `Retry-After` asked for, not yet bounded; null when it is absent or makes no sense. */
  readonly retryAfterMs: number | null
  readonly durationMs: number
  /** The beginning of the answer's body; absent when none came. */
  readonly answer?: string
}
