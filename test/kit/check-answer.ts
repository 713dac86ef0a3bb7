/** Checks an answer against the contract: its envelope, its headers, and the schema of its route. */
import assert from 'node:assert/strict'
import * as v from 'valibot'
import { PROBLEM_CODES } from '#contracts/problem.ts'
import { declaredRoutes } from '#test/kit/routes.ts'
import { HTTP_STATUS } from '#transport/http/problem-response.ts'
import type { Route } from '#transport/http/route.ts'

export interface SeenAnswer {
  readonly status: number
  header(name: string): string | null
  readonly body: string
}

const Refusal = v.strictObject({
  success: v.literal(false),
  error: v.strictObject({
    code: v.picklist(PROBLEM_CODES),
    message: v.pipe(v.string(), v.minLength(1)),
    details: v.optional(
      v.strictObject({
        issues: v.optional(
          v.pipe(
            v.array(v.strictObject({ path: v.string(), message: v.pipe(v.string(), v.minLength(1)) })),
            v.minLength(1),
          ),
        ),
        limit: v.optional(v.number()),
        used: v.optional(v.number()),
        resetAt: v.optional(v.pipe(v.string(), v.isoTimestamp())),
      }),
    ),
  }),
})
export type Refusal = v.InferOutput<typeof Refusal>

const Success = v.strictObject({
  success: v.literal(true),
  data: v.unknown(),
  page: v.optional(
    v.strictObject({
      nextCursor: v.nullable(v.string()),
      lookedBackTo: v.optional(v.nullable(v.pipe(v.string(), v.isoTimestamp()))),
    }),
  ),
})

const routes = await declaredRoutes()

/** The routes that lack the description that they need. */
export function undescribedRoutes(table: readonly Route[]): string[] {
  return table
    .filter(route => route.path.startsWith('/api/v1') && route.operation === undefined)
    .map(route => `${route.method} ${route.path}`)
}

/** @throws AssertionError for the first difference from the contract */
export function checkAnswer(method: string, path: string, answer: SeenAnswer): unknown {
  const where = `${method} ${path} → ${answer.status} ${answer.body.slice(0, 300)}`
  assert.match(answer.header('x-request-id') ?? '', /^[A-Za-z0-9._-]{1,64}$/, `X-Request-Id: ${where}`)
  const isApi = path.startsWith('/api/v1')
  if (isApi)
    for (const name of ['Limit', 'Remaining', 'Reset'])
      assert.match(
        answer.header(`x-ratelimit-${name}`) ?? '',
        /^(?:-1|\d+)$/,
        `X-RateLimit-${name}: ${where}`,
      )
  if (method === 'HEAD') {
    assert.equal(answer.body, '', where)
    return undefined
  }
  if (!isApi && answer.header('content-type')?.startsWith('text/')) return answer.body
  assert.equal(answer.header('content-type'), 'application/json; charset=utf-8', where)
  assert.equal(answer.header('cache-control'), 'no-store', where)
  assert.equal(answer.header('x-content-type-options'), 'nosniff', where)
  const json: unknown = JSON.parse(answer.body)
  if (answer.status === 200) checkSuccess(where, routeOf(method, path), json)
  else checkRefusal(where, answer, json)
  return json
}

function checkSuccess(where: string, route: Route | undefined, json: unknown): void {
  assert.ok(route, `a success on an unknown route: ${where}`)
  if (!route.path.startsWith('/api/v1')) return
  assert.ok(route.operation, `a route without a description: ${where}`)
  if (route.operation.bare !== undefined) return
  const { data } = v.parse(Success, json)
  // A field that the schema drops is undocumented.
  assert.deepEqual(v.parse(route.operation.response, data), data, where)
}

function checkRefusal(where: string, answer: SeenAnswer, json: unknown): void {
  const { error } = v.parse(Refusal, json)
  assert.equal(answer.status, HTTP_STATUS[error.code], where)
  if (answer.status === 400) assert.ok(error.details?.issues, `issues: ${where}`)
  if (answer.status === 401) assert.ok(answer.header('www-authenticate'), `WWW-Authenticate: ${where}`)
  if (answer.status === 405) assert.ok(answer.header('allow'), `Allow: ${where}`)
  if (answer.status === 413) assert.equal(answer.header('connection'), 'close', where)
  if (answer.status === 429) {
    assert.ok(Number(answer.header('retry-after')) >= 1, `Retry-After: ${where}`)
    assert.ok(error.details?.limit !== undefined && error.details.resetAt, `details: ${where}`)
  }
  if (error.code === 'SERVICE_UNAVAILABLE') assert.ok(answer.header('retry-after'), `Retry-After: ${where}`)
}

function routeOf(method: string, path: string): Route | undefined {
  const [bare = ''] = path.split('?')
  const parts = bare.split('/')
  const fits = (path: string) => {
    const wanted = path.split('/')
    return (
      wanted.length === parts.length && wanted.every((part, i) => part.startsWith('{') || part === parts[i])
    )
  }
  return routes.find(
    route => route.method === method.toLowerCase() && [route.path, ...(route.aliases ?? [])].some(fits),
  )
}
