import type * as v from 'valibot'
import type { Role } from '#contracts/user.ts'
import type { Components } from '#transport/http/openapi/components.ts'
import { componentRef, type JsonSchema } from '#transport/http/openapi/convert-schemas.ts'
import { ErrorEnvelope, Page } from '#transport/http/openapi/envelope.ts'
import { IDEMPOTENCY_KEY, sharedHeaders } from '#transport/http/openapi/headers.ts'
import { ANY_REFUSAL, headerRef, refusalOnPage, refusalRef } from '#transport/http/openapi/refusals.ts'
import type { Operation, Route } from '#transport/http/route.ts'

/** A route that the document describes. */
export type DescribedRoute = Route & { readonly operation: Operation }

const API = '/api/v1'

/** Both halves of a session's secret. */
const SESSION = { cookie: [], half: [] }
const ACCOUNT_CREDENTIALS: readonly JsonSchema[] = [{ bearer: [] }, SESSION]
/** The credentials that routes accept, by their `access`. */
const SECURITY: Readonly<Record<Route['access'], readonly JsonSchema[]>> = {
  public: [],
  session: [SESSION],
  account: ACCOUNT_CREDENTIALS,
  key: [{ apiKey: [] }, { basic: [] }, ...ACCOUNT_CREDENTIALS],
}

/** The schemas of an operation, each with a name in case `contracts` does not export it under one. */
export function schemasOf(route: DescribedRoute): [schema: v.GenericSchema, name: string][] {
  const { id, request, response, query } = route.operation
  const name = id.charAt(0).toUpperCase() + id.slice(1)
  const schemas: [v.GenericSchema, string][] = [[itemOf(response) ?? response, `${name}Answer`]]
  if (request !== undefined) schemas.push([request, `${name}Request`])
  if (query !== undefined) schemas.push([query, `${name}Query`])
  return schemas
}

export function describeOperation(route: DescribedRoute, components: Components): JsonSchema {
  const { operation, access } = route
  const parameters = [...pathParameters(route), ...queryParameters(route, components)]
  if (isIdempotent(route)) parameters.push(IDEMPOTENCY_KEY)
  const requestBody = bodyOf(route, components)
  return {
    operationId: operation.id,
    summary: operation.summary,
    description: withRole(route),
    tags: [operation.tag],
    security: SECURITY[access],
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody !== null && { requestBody }),
    responses: responsesOf(route, components),
  }
}

/** The description, with the role that a user needs. A viewer may call what names no role here. */
function withRole(route: DescribedRoute): string {
  const role = roleOf(route)
  return role === null ? route.operation.description : `${route.operation.description} Role: ${role}.`
}

/** The least role of the users who may call the route; null: all users, or anybody. */
function roleOf(route: DescribedRoute): Role | null {
  if (route.access === 'public') return null
  return route.role === 'viewer' ? null : route.role
}

/** Routes that read the idempotency key are those that may answer IDEMPOTENCY_MISMATCH (422). */
function isIdempotent({ operation }: DescribedRoute): boolean {
  return operation.problems.includes(422)
}

function pathParameters({ path, operation }: DescribedRoute): JsonSchema[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    ...operation.parameters?.[name ?? ''],
    schema: { type: 'string', minLength: 1 },
  }))
}

function queryParameters({ operation }: DescribedRoute, components: Components): JsonSchema[] {
  if (operation.query === undefined) return []
  const { properties = {}, required = [] } = components.inline(operation.query, 'input') as {
    readonly properties?: Readonly<Record<string, JsonSchema>>
    readonly required?: readonly string[]
  }
  return Object.entries(properties).map(([name, { description, examples, ...schema }]) => ({
    name,
    in: 'query',
    ...(required.includes(name) && { required: true }),
    ...(description !== undefined && { description }),
    ...(Array.isArray(examples) && { example: examples[0] }),
    schema,
  }))
}

function bodyOf({ body, mayBeEmpty, operation }: DescribedRoute, components: Components): JsonSchema | null {
  if (body === 'none') return null
  const object = { type: 'object', additionalProperties: true }
  const schema = operation.request === undefined ? object : components.refer(operation.request, 'input')
  const example = operation.example.request
  const json = { 'application/json': { schema, ...(example !== undefined && { example }) } }
  if (body === 'json') return { required: mayBeEmpty !== true, content: json }
  if (body === 'fields') return { required: true, content: asJsonAndForms(json['application/json']) }
  const text = { schema: { type: 'string' }, example: 'The backup has failed' }
  const form = { schema: object, ...(example !== undefined && { example }) }
  const forms = { 'application/x-www-form-urlencoded': form, 'multipart/form-data': form }
  return { content: { ...json, ...forms, 'text/plain': text } }
}

function asJsonAndForms(media: JsonSchema): Record<string, JsonSchema> {
  return {
    'application/json': media,
    'application/x-www-form-urlencoded': media,
    'multipart/form-data': media,
  }
}

/** The statuses that the route lists, and those that follow from its kind. */
function refusalStatusesOf(route: DescribedRoute): number[] {
  const { access, body, operation, path } = route
  const statuses = new Set([...operation.problems, 400, 500, 503])
  if (access !== 'public') statuses.add(401)
  if (roleOf(route) !== null) statuses.add(403)
  if (path.startsWith(API)) statuses.add(429)
  if (body !== 'none') statuses.add(413)
  if (body === 'json') statuses.add(415)
  return [...statuses].sort((a, b) => a - b)
}

function responsesOf(route: DescribedRoute, components: Components): Record<string, JsonSchema> {
  const headers = sharedHeaders(route.path)
  if (isIdempotent(route)) headers['Idempotent-Replayed'] = headerRef('Idempotent-Replayed')
  if (route.operation.request !== undefined) headers['X-Roost-Ignored'] = headerRef('X-Roost-Ignored')
  const success = { description: 'Done.', headers, content: successContent(route, components) }
  components.refer(ErrorEnvelope, 'output')
  const isPage = route.operation.bare === 'text/html'
  const shared = sharedHeaders(route.path)
  const refusal = (status: number) => (isPage ? refusalOnPage(status, shared) : refusalRef(status))
  const refusals = refusalStatusesOf(route).map(status => [String(status), refusal(status)])
  const other = { $ref: `#/components/responses/${ANY_REFUSAL}` }
  return { 200: success, ...Object.fromEntries(refusals), default: other }
}

function successContent({ operation }: DescribedRoute, components: Components): Record<string, JsonSchema> {
  const { response, query, bare, example } = operation
  const item = itemOf(response)
  const data =
    item === null
      ? components.refer(response, 'output')
      : { type: 'array', items: components.refer(item, 'output') }
  if (bare !== undefined) return { [bare]: { schema: data, example: example.data } }
  const hasPage =
    item !== null && query !== undefined && 'entries' in query && 'cursor' in (query.entries as object)
  if (hasPage) components.refer(Page, 'output')
  const schema = {
    type: 'object',
    required: ['success', 'data', ...(hasPage ? ['page'] : [])],
    properties: {
      success: { type: 'boolean', const: true },
      data,
      ...(hasPage && { page: { $ref: componentRef('Page') } }),
    },
  }
  const value = { success: true, data: example.data, ...(hasPage && { page: { nextCursor: null } }) }
  return { 'application/json': { schema, example: value } }
}

/** The schema of the items if the answer is an unnamed list; null: it is not. */
function itemOf(schema: v.GenericSchema): v.GenericSchema | null {
  return schema.type === 'array' && 'item' in schema && !('pipe' in schema)
    ? (schema.item as v.GenericSchema)
    : null
}
