/**
 * The result of one attempt to deliver a notification. The sender reports it; the domain decides what
 * follows.
 */

/**
 * Why the receiver gave no complete answer. The delivery log shows these codes, so their meaning never
 * changes. With `OVERLOADED` the gateway was full and sent nothing. With `STOPPED` it stopped, before the
 * attempt or during it.
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
  /** `response`: the answer is complete, or was read up to `NOTIFICATION_ANSWER_BYTES_MAX`. */
  readonly outcome: 'response' | 'error'
  /** HTTP status; set with an error too if the status line came before the error. */
  readonly status: number | null
  /** Null with `response`. */
  readonly error: DeliveryError | null
  /** The wait that `Retry-After` asks for, not bounded yet; null: absent or invalid. */
  readonly retryAfterMs: number | null
  readonly durationMs: number
  /** The beginning of the answer's body; absent: there was no body. */
  readonly answer?: string
  /** The receiver is at an address that is not public. */
  readonly isPrivate?: true
}
