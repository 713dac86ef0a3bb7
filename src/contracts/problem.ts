/**
 * The complete list of reasons to refuse a request. Each protocol translates all of them: to HTTP statuses in
 * `transport/http/problem-response.ts`, to exit codes in `app/exit-code.ts`.
 */
export const PROBLEM_CODES = [
  'INVALID_REQUEST',
  'UNAUTHORIZED',
  'FORBIDDEN',
  'NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'CONFLICT',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'IDEMPOTENCY_MISMATCH',
  'RATE_LIMIT_EXCEEDED',
  'INTERNAL_ERROR',
  'NO_DEVICE_AVAILABLE',
  'SERVICE_UNAVAILABLE',
] as const

export type ProblemCode = (typeof PROBLEM_CODES)[number]

/** One fault of the input. `path`: keys and indexes with dots, such as `recipients.0`. `message`: the fix. */
export interface Issue {
  readonly path: string
  readonly message: string
}

/** Details of a refusal; each field is used with the codes that its comment names. */
export interface ProblemDetails {
  /** INVALID_REQUEST: all faults of the input. */
  readonly issues?: readonly Issue[]
  /** RATE_LIMIT_EXCEEDED: the limit, how much of it is used, and when it resets (ISO 8601). */
  readonly limit?: number
  readonly used?: number
  readonly resetAt?: string
  /** RATE_LIMIT_EXCEEDED, SERVICE_UNAVAILABLE: seconds, also in the header `Retry-After`. */
  readonly retryAfterS?: number
  /** SERVICE_UNAVAILABLE of a gateway that does not lead its cluster: the address of the one that does. */
  readonly leader?: string | null
  /** FORBIDDEN: why, as a word for programs. */
  readonly reason?: 'COUNTRY_NOT_ALLOWED' | 'OPTED_OUT'
  /** METHOD_NOT_ALLOWED: the allowed methods, also in the header `Allow`. */
  readonly allow?: readonly string[]
}

/** A refusal as plain data, which can cross threads; `Problem` in `domain/problem.ts` is the error class. */
export interface ProblemData {
  readonly code: ProblemCode
  readonly message: string
  readonly details?: ProblemDetails
}
