/**
 * The closed list of refusals. Each protocol has one exhaustive table over it: HTTP statuses in
 * `transport/http/problem-response.ts`, exit codes in `app/exit-code.ts`.
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

/** One fault of the input: where (`recipients.0`, dots between keys and indexes) and what to do about it. */
export interface Issue {
  readonly path: string
  readonly message: string
}

/** What a refusal says beside its code; each member belongs to the codes named. */
export interface ProblemDetails {
  /** INVALID_REQUEST: every fault found. */
  readonly issues?: readonly Issue[]
  /** RATE_LIMIT_EXCEEDED: the limit, what is used of it and when it is free again (ISO 8601). */
  readonly limit?: number
  readonly used?: number
  readonly resetAt?: string
  /** RATE_LIMIT_EXCEEDED, SERVICE_UNAVAILABLE: seconds, also in the header `Retry-After`. */
  readonly retryAfterS?: number
  /** METHOD_NOT_ALLOWED: the methods that are, also in the header `Allow`. */
  readonly allow?: readonly string[]
}

/** A refusal as it crosses threads; `domain/problem.ts` has the error that carries it. */
export interface ProblemData {
  readonly code: ProblemCode
  readonly message: string
  readonly details?: ProblemDetails
}
