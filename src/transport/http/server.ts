/**
 * Handles all requests in the same steps: exchange, rate limits, body, route, answer. Only this file turns
 * errors of routes into answers.
 */

import type { HttpRequest, HttpResponse, TemplatedApp } from 'uWebSockets.js'
import type { LogEntry } from '#contracts/thread-frames.ts'
import type { Plan } from '#domain/account/plan.ts'
import type { Principal } from '#domain/account/principal.ts'
import { causeOf } from '#domain/cause.ts'
import type { AddressBlock } from '#domain/network/address-block.ts'
import { gatewayStopping, invalid, Problem } from '#domain/problem.ts'
import type { RateLimiter } from '#domain/rate-limit/rate-limiter.ts'
import { authenticate, type Credentials, unauthorized } from '#transport/http/authenticate.ts'
import { checkJsonType, parseJsonObject } from '#transport/http/body.ts'
import { API, addressRate, clientOf, countApiCall, countCall, isSecure } from '#transport/http/count-call.ts'
import { decodeBody } from '#transport/http/decode-body.ts'
import { envelopeAnswer } from '#transport/http/envelope-answer.ts'
import { Exchange, type ExchangeHost } from '#transport/http/exchange.ts'
import type { EndedExchange } from '#transport/http/http-metrics.ts'
import { OpenExchanges } from '#transport/http/open-exchanges.ts'
import { problemAnswer } from '#transport/http/problem-response.ts'
import { readFields } from '#transport/http/read-fields.ts'
import { refusalsByPath } from '#transport/http/refusals-by-path.ts'
import type { Answer, AuthorizedCall, Route } from '#transport/http/route.ts'
import { methodsOf, parametersOf, pathsOf, pattern } from '#transport/http/route-paths.ts'

export interface ServerPorts {
  readonly credentials: Credentials
  readonly limiter: RateLimiter
  readonly plan: (name: string) => Plan
  readonly trustedProxies: readonly AddressBlock[]
  readonly anonymousCallsPerMinute: number
  readonly bodyBytesMax: number
  /** Time limit of a request, which is then answered 503. */
  readonly requestMsMax: number
  readonly log: (entry: LogEntry) => void
  /** Called when an exchange begins. */
  readonly opened: () => void
  /** Called when an exchange has ended. */
  readonly answered: (answered: EndedExchange) => void
  /** True while the gateway stops and refuses new work. */
  readonly draining: () => boolean
}

const UWS_METHOD = { get: 'get', post: 'post', put: 'put', patch: 'patch', delete: 'del' } as const

/** The app of one port. */
export interface ServedApp {
  readonly app: TemplatedApp
  readonly isTls: boolean
}

/** Registers the routes on an app. All other requests get 404 or 405. */
export function serveRoutes({ app, isTls }: ServedApp, routes: readonly Route[], ports: ServerPorts): void {
  const methods = new Map<string, string[]>()
  const host = hostOf(ports)
  const refusalAt = refusalsByPath(routes)
  const deny = (opening: Pick<Opening, 'res' | 'req' | 'template'>, problem: Problem): void => {
    const exchange = begin({ ...opening, isTls, ports, host })
    exchange.refusal = refusalAt(exchange.path)
    void refuseUnrouted(exchange, ports, problem)
  }
  for (const [route, path] of routes.flatMap(pathsOf)) {
    if (route.matches === undefined) methods.set(path, [...(methods.get(path) ?? []), ...methodsOf(route)])
    const handle = (res: HttpResponse, req: HttpRequest): void => {
      if (route.matches?.(parametersOf(route, req.getUrl())) === false) return void req.setYield(true)
      const exchange = begin({ res, req, isTls, ports, host, template: route.path })
      exchange.refusal = route.refusal ?? null
      // A path without parameters has its own methods, even if this route's pattern matches it, too.
      const ownMethods = methods.get(exchange.path)
      if (ownMethods !== undefined && exchange.path !== path)
        void refuseUnrouted(exchange, ports, methodNotAllowed(ownMethods))
      else serve({ exchange, route, ports, parameters: parametersOf(route, exchange.path) })
    }
    app[UWS_METHOD[route.method]](pattern(path), handle)
    // HEAD runs the GET handler; the exchange leaves out the body.
    if (methodsOf(route).includes('HEAD')) app.head(pattern(path), handle)
  }
  for (const [path, allowed] of methods)
    app.any(pattern(path), (res, req) => deny({ res, req, template: path }, methodNotAllowed(allowed)))
  app.any('/*', (res, req) => {
    deny({ res, req, template: 'unknown' }, new Problem('NOT_FOUND', 'there is nothing at this path'))
  })
}

/** Refuses a request that no route handles. It counts against the caller's rate limit like any request. */
async function refuseUnrouted(exchange: Exchange, ports: ServerPorts, problem: Problem): Promise<void> {
  try {
    exchange.dropBody()
    if (exchange.fault !== null) throw badHeaders(exchange.fault)
    const isApi = exchange.path.startsWith(API)
    countApiCall(exchange, isApi ? await authenticate(exchange, ports.credentials, 'key') : null, ports)
    throw problem
  } catch (error) {
    refuse(exchange, ports, error)
  }
}

interface Opening {
  readonly res: HttpResponse
  readonly req: HttpRequest
  readonly isTls: boolean
  readonly ports: ServerPorts
  readonly host: ExchangeHost
  /** The template of the path (`Exchange.route`). */
  readonly template: string
}

function hostOf(ports: ServerPorts): ExchangeHost {
  return {
    open: new OpenExchanges(ports.requestMsMax),
    expired: exchange =>
      refuse(exchange, ports, new Problem('SERVICE_UNAVAILABLE', TOO_SLOW, { retryAfterS: 5 })),
    ended: ({ route, method, requestId, startedAt }, status) =>
      ports.answered({ route, method, requestId, status, ms: performance.now() - startedAt }),
  }
}

function begin({ res, req, isTls, ports, host, template }: Opening): Exchange {
  const exchange = new Exchange(res, req, host)
  ports.opened()
  exchange.route = template
  exchange.isTls = isTls
  exchange.bodyBytesMax = ports.bodyBytesMax
  return exchange
}

interface Serving {
  readonly exchange: Exchange
  readonly route: Route
  readonly ports: ServerPorts
  readonly parameters: readonly string[]
}

/**
 * Handles a request of a route. Everything that needs uWebSockets.js' request object happens before this
 * function returns.
 */
function serve(serving: Serving): void {
  const { exchange, route, ports } = serving
  if (route.body === 'none') exchange.dropBody()
  try {
    if (exchange.fault !== null) throw badHeaders(exchange.fault)
    exchange.bodyBytesMax = route.bodyBytesMax?.(serving.parameters) ?? ports.bodyBytesMax
    if (ports.draining() && route.method !== 'get') throw gatewayStopping()
    const principal =
      route.access === 'public' ? null : authenticate(exchange, ports.credentials, route.access)
    if (principal instanceof Promise) return void serveLater(serving, principal)
    admit(serving, principal)
    if (route.body === 'none') handle(serving, principal, EMPTY)
    else exchange.readBody(exchange.bodyBytesMax, bytes => handle(serving, principal, bytes))
  } catch (error) {
    refuse(exchange, ports, error)
  }
}

/** Continues `serve` for a credential that is checked asynchronously; the body arrives meanwhile. */
async function serveLater(serving: Serving, pending: Promise<Principal | null>): Promise<void> {
  const { exchange, route, ports } = serving
  try {
    const body = Promise.withResolvers<Buffer | null>()
    if (route.body === 'none') body.resolve(EMPTY)
    else exchange.readBody(exchange.bodyBytesMax, body.resolve)
    const principal = await pending
    admit(serving, principal)
    handle(serving, principal, await body.promise)
  } catch (error) {
    refuse(exchange, ports, error)
  }
}

/** @throws Problem when the caller is unknown, exceeds the rate limit, or sends the wrong Content-Type */
function admit({ exchange, route, ports }: Serving, principal: Principal | null): void {
  if (route.access === 'public' && route.counted === false) exchange.rate = addressRate(exchange, ports)
  else countApiCall(exchange, principal, ports)
  if (route.access !== 'public' && principal === null) throw unauthorized(route.access)
  if (route.body === 'json') checkJsonType(exchange.headers['content-type'])
}

/** Calls the route. Not an async function, because its promises would cost time in each send. */
function handle(serving: Serving, principal: Principal | null, bytes: Buffer | null): void {
  const { exchange, route, ports } = serving
  const fail = (error: unknown) => refuse(exchange, ports, error)
  try {
    if (bytes === null)
      throw new Problem('PAYLOAD_TOO_LARGE', `the body is longer than ${exchange.bodyBytesMax} bytes`)
    const call = callOf(serving, principal, unpacked(exchange, bytes))
    const answer = route.handle(call)
    if (answer instanceof Promise) answer.then(done => finish(serving, done), fail)
    else finish(serving, answer)
  } catch (error) {
    fail(error)
  }
}

function finish({ exchange, ports }: Serving, answer: Answer): void {
  try {
    exchange.answer(envelopeAnswer(answer))
  } catch (error) {
    refuse(exchange, ports, error)
  }
}

/** @throws Problem PAYLOAD_TOO_LARGE */
function unpacked({ headers, bodyBytesMax }: Exchange, bytes: Buffer): Buffer {
  const encoding = headers['content-encoding']
  return encoding === undefined ? bytes : decodeBody(bytes, encoding, bodyBytesMax)
}

const EMPTY = Buffer.alloc(0)
const TOO_SLOW = 'the gateway could not answer in time: try again in 5 s'

function jsonOf(exchange: Exchange, route: Route, bytes: Buffer): unknown {
  if (route.body === 'fields')
    return readFields(bytes, exchange.headers['content-type'], route.operation?.request)
  if (route.body !== 'json') return undefined
  return route.mayBeEmpty && bytes.length === 0 ? {} : parseJsonObject(bytes)
}

/** Makes the call for the route. `principal` is null only for public routes, which do not read it. */
function callOf(serving: Serving, principal: Principal | null, bytes: Buffer): AuthorizedCall {
  const { exchange, route, ports, parameters } = serving
  return {
    method: exchange.method as AuthorizedCall['method'],
    principal: principal as Principal,
    parameters,
    rawQuery: exchange.query,
    header: name => exchange.headers[name],
    json: jsonOf(exchange, route, bytes),
    bytes,
    client: () => clientOf(exchange, ports),
    isSecure: () => isSecure(exchange, ports),
    count: caller => countCall(exchange, caller, ports),
    showRate: rate => {
      exchange.rate = rate
    },
    requestId: exchange.requestId,
  }
}

/**
 * Answers with a refusal. An error that is not a Problem is logged and answered as an internal error. Never
 * throws, because an error in a callback of uWebSockets.js would end the thread.
 */
function refuse(exchange: Exchange, ports: ServerPorts, error: unknown): void {
  try {
    if (exchange.isOver) return
    const problem = error instanceof Problem ? error : internalError(exchange, ports, error)
    addRate(exchange, ports)
    const answer = problemAnswer(problem)
    const shaped = exchange.refusal?.(problem, answer.status)
    exchange.answer({ ...answer, ...shaped, close: isUnreadable(exchange, problem) })
  } catch (failure) {
    exchange.answer({ ...problemAnswer(internalError(exchange, ports, failure)), close: true })
  }
}

/**
 * Whether the connection must be closed, because the rest of the body is too long, late or not recognizable.
 */
function isUnreadable(exchange: Exchange, problem: Problem): boolean {
  if (exchange.fault !== null || problem.code === 'PAYLOAD_TOO_LARGE') return true
  // The rest of the body may not have arrived yet.
  if (exchange.isLate) return true
  return Number(exchange.headers['content-length'] ?? 0) > exchange.bodyBytesMax
}

/** Adds the rate-limit headers to an answer of the API whose call was not counted. */
function addRate(exchange: Exchange, ports: ServerPorts): void {
  if (exchange.rate === null && exchange.path.startsWith(API)) exchange.rate = addressRate(exchange, ports)
}

function internalError(exchange: Exchange, ports: ServerPorts, error: unknown): Problem {
  const cause = causeOf(error)
  const { requestId, route } = exchange
  ports.log({ level: 'error', event: 'request.failed', fields: { requestId, route, cause } })
  return new Problem('INTERNAL_ERROR', `something went wrong: the log has the details under ${requestId}`)
}

function badHeaders(fault: string): Problem {
  return invalid([{ path: 'header', message: fault }])
}

function methodNotAllowed(allow: readonly string[]): Problem {
  return new Problem('METHOD_NOT_ALLOWED', `use ${allow.join(' or ')} here`, { allow })
}
