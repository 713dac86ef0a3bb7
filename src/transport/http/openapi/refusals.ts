/**
 * Describes refusals for the OpenAPI document: one response for each status, with the codes that it may have.
 */
import { PROBLEM_CODES, type ProblemCode } from '#contracts/problem.ts'
import type { JsonSchema } from '#transport/http/openapi/convert-schemas.ts'
import { componentRef } from '#transport/http/openapi/convert-schemas.ts'
import { HTTP_STATUS } from '#transport/http/problem-response.ts'

export interface ResponseObject {
  readonly description: string
  readonly headers?: Readonly<Record<string, JsonSchema>>
  readonly content?: Readonly<Record<string, JsonSchema>>
}

interface Refusal {
  readonly name: string
  readonly description: string
  readonly headers?: readonly string[]
}

const LIMITED = { limit: 300, used: 300, resetAt: '2026-01-31T12:00:07.000Z' }

const EXAMPLES: Record<ProblemCode, { readonly message: string; readonly details?: unknown }> = {
  INVALID_REQUEST: {
    message: 'phoneNumber: must begin with + and the country code, like +14155550123',
    details: {
      issues: [
        { path: 'phoneNumber', message: 'must begin with + and the country code, like +14155550123' },
        { path: 'message', message: 'is required' },
      ],
    },
  },
  UNAUTHORIZED: { message: 'send a valid API key in the header X-API-Key' },
  FORBIDDEN: { message: 'the plan free has no notifications: leave webhookUrl out' },
  NOT_FOUND: { message: 'there is no such message' },
  METHOD_NOT_ALLOWED: { message: 'use GET or DELETE here' },
  CONFLICT: { message: 'the message is sent: only a queued message can be cancelled' },
  PAYLOAD_TOO_LARGE: { message: 'the body is longer than 262144 bytes' },
  UNSUPPORTED_MEDIA_TYPE: { message: 'send the body as application/json' },
  IDEMPOTENCY_MISMATCH: { message: 'this Idempotency-Key was used with another body' },
  RATE_LIMIT_EXCEEDED: { message: 'more than 300 calls a minute', details: LIMITED },
  INTERNAL_ERROR: { message: 'something went wrong: the log has the details under req-k3x9ab-1f' },
  NO_DEVICE_AVAILABLE: { message: 'no phone of this account is connected' },
  SERVICE_UNAVAILABLE: { message: 'the gateway is stopping: try again in 5 s' },
}

const REFUSALS: Readonly<Record<number, Refusal>> = {
  400: { name: 'BadRequest', description: 'The request has faults; `details.issues` lists all of them.' },
  401: {
    name: 'Unauthorized',
    description: 'The request has no valid credential.',
    headers: ['WWW-Authenticate'],
  },
  403: {
    name: 'Forbidden',
    description: 'The plan, the role of the login or the caller’s address does not allow the request.',
  },
  404: { name: 'NotFound', description: 'The resource does not exist, or belongs to another account.' },
  409: { name: 'Conflict', description: 'The current state of the resource does not allow the request.' },
  413: { name: 'PayloadTooLarge', description: 'The body is too long; the connection is closed.' },
  415: { name: 'UnsupportedMediaType', description: 'The Content-Type of the body is not JSON.' },
  422: { name: 'IdempotencyMismatch', description: 'The Idempotency-Key was used with another body.' },
  429: {
    name: 'TooManyRequests',
    description: 'A rate limit or quota is used up.',
    headers: ['Retry-After'],
  },
  500: { name: 'InternalError', description: 'The gateway has failed; its log has the details.' },
  503: {
    name: 'ServiceUnavailable',
    description:
      'No phone is connected, or the gateway is starting, stopping, overloaded or out of disk space.',
    headers: ['Retry-After'],
  },
}

/** The response for statuses that an operation does not list, such as 405. */
export const ANY_REFUSAL = 'Refusal'

export function refusalRef(status: number): JsonSchema {
  return { $ref: `#/components/responses/${refusalOf(status).name}` }
}

/** The refusal of a page for people: HTML, or JSON if the request did not reach the page. */
export function refusalOnPage(
  status: number,
  shared: Readonly<Record<string, JsonSchema>>,
): ResponseObject & JsonSchema {
  const { description, headers = [] } = refusalOf(status)
  const codes = codesOf(status)
  return {
    description,
    headers: withOwn(shared, headers),
    content: {
      'text/html': { schema: { type: 'string' }, example: '<!doctype html><title>Roost</title>…' },
      ...json({ $ref: componentRef(schemaNameOf(status)) }, codes),
    },
  }
}

function refusalOf(status: number): Refusal {
  const refusal = REFUSALS[status]
  if (refusal === undefined) throw new Error(`no refusal has the status ${status}`)
  return refusal
}

function codesOf(status: number): readonly ProblemCode[] {
  return PROBLEM_CODES.filter(code => HTTP_STATUS[code] === status)
}

function withOwn(shared: Readonly<Record<string, JsonSchema>>, own: readonly string[]) {
  return { ...shared, ...Object.fromEntries(own.map(header => [header, headerRef(header)])) }
}

/** All refusals by name. `shared`: the headers that all answers have. */
export function refusalResponses(
  shared: Readonly<Record<string, JsonSchema>>,
): Record<string, ResponseObject> {
  const responses: Record<string, ResponseObject> = {}
  for (const [status, { name, description, headers = [] }] of Object.entries(REFUSALS)) {
    const codes = codesOf(Number(status))
    responses[name] = {
      description,
      headers: withOwn(shared, headers),
      content: json({ $ref: componentRef(schemaNameOf(Number(status))) }, codes),
    }
  }
  responses[ANY_REFUSAL] = {
    description: 'Any other refusal. An unsupported method is refused as 405 with the header Allow.',
    headers: { ...shared, Allow: headerRef('Allow') },
    content: json({ $ref: componentRef('ErrorEnvelope') }, PROBLEM_CODES),
  }
  return responses
}

export function headerRef(name: string): JsonSchema {
  return { $ref: `#/components/headers/${name}` }
}

/** The name of the schema for one status, such as `BadRequestError`. */
function schemaNameOf(status: number): string {
  return `${refusalOf(status).name.replace(/Error$/, '')}Error`
}

/** A complete error schema for each status, so that generators make one type of each. */
export function refusalSchemas(): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.keys(REFUSALS).map(status => [schemaNameOf(Number(status)), errorSchema(Number(status))]),
  )
}

function errorSchema(status: number): JsonSchema {
  const code = { description: 'The reason. Programs should use this code, not the message.', type: 'string' }
  const error = {
    description: 'The refusal.',
    type: 'object',
    required: ['code', 'message'],
    properties: {
      code: { ...code, enum: codesOf(status) },
      message: { description: 'A sentence for people; its wording may change.', type: 'string' },
      details: { description: 'Further facts for programs.', $ref: componentRef('ProblemDetails') },
    },
  }
  return {
    type: 'object',
    required: ['success', 'error'],
    properties: { success: { description: 'Always false.', type: 'boolean', const: false }, error },
  }
}

function json(schema: JsonSchema, codes: readonly ProblemCode[]): Record<string, JsonSchema> {
  const examples = Object.fromEntries(
    codes.map(code => [code, { value: { success: false, error: { code, ...EXAMPLES[code] } } }]),
  )
  return { 'application/json': { schema, examples } }
}
