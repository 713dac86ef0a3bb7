/** The headers of answers, and the one of requests, as the document describes them. */
import { IDEMPOTENCY_KEY_LENGTH_MAX } from '#contracts/bounds.ts'
import type { JsonSchema } from '#transport/http/openapi/convert-schemas.ts'
import { headerRef } from '#transport/http/openapi/refusals.ts'

const integer = (minimum: number) => ({ type: 'integer', minimum })
const header = (description: string, schema: JsonSchema) => ({ description, schema })

export const HEADERS: Readonly<Record<string, JsonSchema>> = {
  'X-Request-Id': header(
    'The id of this exchange in the log: the caller’s own, when it is 1 to 64 characters of `A-Za-z0-9._-`.',
    { type: 'string', pattern: '^[A-Za-z0-9._-]{1,64}$' },
  ),
  'X-RateLimit-Limit': header('Calls a minute; -1: unlimited.', integer(-1)),
  'X-RateLimit-Remaining': header('Calls that are left at the moment; -1: unlimited.', integer(-1)),
  'X-RateLimit-Reset': header('The second since 1970 at which all calls are free again.', integer(0)),
  'Retry-After': header('Seconds to wait.', integer(1)),
  Allow: header('The methods that the path has.', { type: 'string' }),
  'WWW-Authenticate': header('The scheme of account tokens.', { type: 'string' }),
  'Idempotent-Replayed': header('`true`: this is the first answer again.', {
    type: 'string',
    enum: ['true'],
  }),
}

export const IDEMPOTENCY_KEY: JsonSchema = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Makes a repeated call harmless: with the same key and body, the first answer comes again. Kept 24 h.',
  example: 'backup-2026-01-31',
  schema: { type: 'string', maxLength: IDEMPOTENCY_KEY_LENGTH_MAX, pattern: '^[!-~]+$' },
}

/** What every answer at a path carries. */
export function sharedHeaders(path: string): Record<string, JsonSchema> {
  const isCounted = path.startsWith('/api/v1/')
  const names = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset']
  return Object.fromEntries(
    ['X-Request-Id', ...(isCounted ? names : [])].map(name => [name, headerRef(name)]),
  )
}
