/** Descriptions of the headers of answers, and of the request header `Idempotency-Key`. */
import { IDEMPOTENCY_KEY_LENGTH_MAX } from '#contracts/bounds.ts'
import type { JsonSchema } from '#transport/http/openapi/convert-schemas.ts'
import { headerRef } from '#transport/http/openapi/refusals.ts'

const integer = (minimum: number) => ({ type: 'integer', minimum })
const header = (description: string, schema: JsonSchema) => ({ description, schema })

export const HEADERS: Readonly<Record<string, JsonSchema>> = {
  'X-Request-Id': header(
    'Id of the request in the log: the X-Request-Id that the client sent, if it has 1 to 64 characters of ' +
      '`A-Za-z0-9._-`; otherwise a new id.',
    { type: 'string', pattern: '^[A-Za-z0-9._-]{1,64}$' },
  ),
  'X-RateLimit-Limit': header('Limit of calls per minute; -1: unlimited.', integer(-1)),
  'X-RateLimit-Remaining': header('Calls left at the moment; -1: unlimited.', integer(-1)),
  'X-RateLimit-Reset': header('When all calls are available again, seconds since 1970.', integer(0)),
  'Retry-After': header('Seconds to wait before the next try.', integer(1)),
  Allow: header('The methods that the path supports.', { type: 'string' }),
  'WWW-Authenticate': header('The authentication scheme of account tokens.', { type: 'string' }),
  'Idempotent-Replayed': header('`true`: the request was a repetition, and this is its first answer.', {
    type: 'string',
    enum: ['true'],
  }),
  'X-Roost-Ignored': header(
    'The fields of the body that Roost does not know and ignored, separated by commas: at most 20 names of ' +
      'at most 40 characters. Characters other than `A-Za-z0-9_.-` appear as `?`.',
    { type: 'string' },
  ),
}

export const IDEMPOTENCY_KEY: JsonSchema = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Makes it safe to repeat a request: within 24 h, the same key and body get the first answer again.',
  example: 'backup-2026-01-31',
  schema: { type: 'string', maxLength: IDEMPOTENCY_KEY_LENGTH_MAX, pattern: '^[!-~]+$' },
}

/** The headers of all answers at a path. */
export function sharedHeaders(path: string): Record<string, JsonSchema> {
  const isCounted = path.startsWith('/api/v1/')
  const names = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset']
  return Object.fromEntries(
    ['X-Request-Id', ...(isCounted ? names : [])].map(name => [name, headerRef(name)]),
  )
}
