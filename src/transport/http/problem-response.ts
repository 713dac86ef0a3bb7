import { handbookOfRefusal } from '#contracts/handbook.ts'
import type { ProblemCode } from '#contracts/problem.ts'
import type { Problem } from '#domain/problem.ts'
import { type HttpAnswer, JSON_TYPE } from '#transport/http/http-answer.ts'

/** The HTTP status of each reason to refuse. */
export const HTTP_STATUS: Readonly<Record<ProblemCode, number>> = {
  INVALID_REQUEST: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  IDEMPOTENCY_MISMATCH: 422,
  RATE_LIMIT_EXCEEDED: 429,
  INTERNAL_ERROR: 500,
  NO_DEVICE_AVAILABLE: 503,
  SERVICE_UNAVAILABLE: 503,
}

/** Converts a refusal to an HTTP answer in the envelope. */
export function problemAnswer(problem: Problem): HttpAnswer {
  const { code, message, details } = problem
  const { retryAfterS, allow, ...shown } = details ?? {}
  const headers: Record<string, string> = { Link: `</${handbookOfRefusal(code)}>; rel="help"` }
  if (retryAfterS !== undefined) headers['Retry-After'] = String(Math.max(1, Math.ceil(retryAfterS)))
  if (allow !== undefined) headers['Allow'] = allow.join(', ')
  if (code === 'UNAUTHORIZED') headers['WWW-Authenticate'] = 'Bearer realm="roost"'
  const error = Object.keys(shown).length > 0 ? { code, message, details: shown } : { code, message }
  return {
    status: HTTP_STATUS[code],
    contentType: JSON_TYPE,
    body: JSON.stringify({ success: false, error }),
    headers,
  }
}
