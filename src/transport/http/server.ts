/**
 * Takes every request through the same door: one exchange, its limits, its body, its route, one answer. What
 * a route throws becomes an answer here and nowhere else.
 */
import type { HttpRequest, HttpResponse, TemplatedApp } from 'uWebSockets.js'
import { SESSION_CALLS_PER_MINUTE } from '#contracts/session-bounds.ts'
import type { LogEntry } from '#contracts/thread-frames.ts'
import type { Plan } from '#domain/account/plan.ts'
import type { Principal } from '#domain/account/principal.ts'
import type { AddressRule } from '#domain/network/address-rules.ts'
import { invalid, Problem } from '#domain/problem.ts'
import type { RateLimiter, Take } from '#domain/rate-limit/rate-limiter.ts'
import { authenticate, type Credentials, unauthorized } from '#transport/http/authenticate.ts'
import { checkJsonType, parseJsonObject } from '#transport/http/body.ts'
import { type ClientAddress, isTrustedPeer, readClientAddress } from '#transport/http/client-address.ts'
import { Exchange, type HttpAnswer } from '#transport/http/exchange.ts'
import type { Answered } from '#transport/http/http-metrics.ts'
import { JSON_TYPE, problemAnswer } from '#transport/http/problem-response.ts'
import { readFields } from '#transport/http/read-fields.ts'
import type { Answer, Call, Route } from '#transport/http/route.ts'
import { methodsOf, parametersOf, pathsOf, pattern } from '#transport/http/route-paths.ts'

export interface ServerPorts {
  readonly credentials: Credentials
  readonly limiter: RateLimiter
  readonly plan: (name: string) => Plan
  readonly trustedProxies: readonly AddressRule[]
  /** The port speaks TLS. */
  readonly tls: boolean
  readonly anonymousCallsPerMinute: number
  readonly bodyBytesMax: number
  /** A request that is not answered by then is answered 503. */
  readonly requestMsMax: number
  readonly log: (entry: LogEntry) => void
  /** Called when an exchange begins. */
  readonly opened: () => void
  /** Called once it is over. */
  readonly answered: (answered: Answered) => void
  /** Set while the gateway stops: no new work. */
  readonly draining: () => boolean
}

const UWS_METHOD = { get: 'get', post: 'post', put: 'put', patch: 'patch', delete: 'del' } as const
const API = '/api/v1'

/** Registers the routes; whatever is not among them is 404 or 405. */
export function serveRoutes(app: TemplatedApp, routes: readonly Route[], ports: ServerPorts): void {
  const methods = new Map<string, string[]>()
  for (const [route, path] of routes.flatMap(pathsOf)) {
    methods.set(path, [...(methods.get(path) ?? []), ...methodsOf(route)])
    const handle = (res: HttpResponse, req: HttpRequest): void => {
      const exchange = open({ res, req, ports, name: route.path })
      const fixed = methods.get(exchange.path)
      if (fixed !== undefined && exchange.path !== path)
        void turnAway(exchange, ports, methodNotAllowed(fixed))
      else serve(exchange, route, { ports, parameters: parametersOf(route, exchange.path) })
    }
    app[UWS_METHOD[route.method]](pattern(path), handle)
    // Monitors look with HEAD; the exchange leaves the body out.
    if (methodsOf(route).includes('HEAD')) app.head(pattern(path), handle)
  }
  for (const [path, allowed] of methods)
    app.any(pattern(path), (res, req) => {
      void turnAway(open({ res, req, ports, name: path }), ports, methodNotAllowed(allowed))
    })
  app.any('/*', (res, req) => {
    const problem = new Problem('NOT_FOUND', 'there is nothing at this path')
    void turnAway(open({ res, req, ports, name: 'unknown' }), ports, problem)
  })
}

/** Refuses what has no route: a call like others, counted for whoever makes it. */
async function turnAway(exchange: Exchange, ports: ServerPorts, problem: Problem): Promise<void> {
  try {
    if (exchange.fault !== null) throw badHead(exchange.fault)
    const isApi = exchange.path.startsWith(API)
    count(exchange, isApi ? await authenticate(exchange, ports.credentials, 'key') : null, ports)
    throw problem
  } catch (error) {
    refuse(exchange, ports, error)
  }
}

interface Opening {
  readonly res: HttpResponse
  readonly req: HttpRequest
  readonly ports: ServerPorts
  readonly name: string
}

function open({ res, req, ports, name }: Opening): Exchange {
  const exchange = new Exchange(res, req, {
    ms: ports.requestMsMax,
    late: exchange =>
      refuse(exchange, ports, new Problem('SERVICE_UNAVAILABLE', 'no answer in time', { retryAfterS: 5 })),
  })
  ports.opened()
  exchange.route = name
  exchange.bodyBytesMax = ports.bodyBytesMax
  exchange.onOver = status => {
    const { method, requestId, startedAt } = exchange
    ports.answered({ route: name, method, requestId, status, ms: performance.now() - startedAt })
  }
  return exchange
}

interface Serving {
  readonly ports: ServerPorts
  readonly parameters: readonly string[]
}

/** The handler of a route; everything that needs the request object is done before it returns. */
function serve(exchange: Exchange, route: Route, serving: Serving): void {
  const { ports } = serving
  try {
    if (exchange.fault !== null) throw badHead(exchange.fault)
    // Bytes arrive from now on: the reading must begin before anything is waited for.
    exchange.bodyBytesMax = route.bodyBytesMax?.(serving.parameters) ?? ports.bodyBytesMax
    const body = route.body === 'none' ? null : exchange.readBody(exchange.bodyBytesMax)
    if (ports.draining() && route.method !== 'get') throw stopping()
    const principal =
      route.access === 'public' ? null : authenticate(exchange, ports.credentials, route.access)
    void run({ exchange, route, body, principal, ...serving })
  } catch (error) {
    refuse(exchange, ports, error)
  }
}

interface Run extends Serving {
  readonly exchange: Exchange
  readonly route: Route
  readonly body: Promise<Buffer | null> | null
  readonly principal: Principal | null | Promise<Principal | null>
}

async function run(it: Run): Promise<void> {
  const { exchange, route, ports } = it
  try {
    const principal = it.principal instanceof Promise ? await it.principal : it.principal
    if (route.access === 'public' && route.counted === false) exchange.rate = addressRate(exchange, ports)
    else count(exchange, principal, ports)
    if (route.access !== 'public' && principal === null) throw unauthorized(route.access)
    if (route.body === 'json') checkJsonType(exchange.headers['content-type'])
    const bytes = it.body === null ? EMPTY : await it.body
    if (bytes === null)
      throw new Problem('PAYLOAD_TOO_LARGE', `the body is longer than ${exchange.bodyBytesMax} bytes`)
    const call = callOf(it, bytes)
    const answer =
      route.access === 'public'
        ? await route.handle(call)
        : await route.handle({ ...call, principal: principal as Principal })
    exchange.answer(httpAnswer(answer))
  } catch (error) {
    refuse(exchange, ports, error)
  }
}

const EMPTY = Buffer.alloc(0)
const NO_HEADERS = {}

function jsonOf(exchange: Exchange, route: Route, bytes: Buffer): unknown {
  if (route.body === 'fields')
    return readFields(bytes, exchange.headers['content-type'], route.operation?.request)
  if (route.body !== 'json') return undefined
  return route.mayBeEmpty && bytes.length === 0 ? {} : parseJsonObject(bytes)
}

function callOf({ exchange, route, ports, parameters }: Run, bytes: Buffer): Call {
  return {
    method: exchange.method as Call['method'],
    parameters,
    rawQuery: exchange.query,
    header: name => exchange.headers[name],
    json: jsonOf(exchange, route, bytes),
    bytes,
    client: () => clientOf(exchange, ports),
    isSecure: () => isSecure(exchange, ports),
    showRate: rate => {
      exchange.rate = rate
    },
    requestId: exchange.requestId,
  }
}

function clientOf(exchange: Exchange, ports: ServerPorts): ClientAddress {
  const forwardedFor = exchange.headers['x-forwarded-for'] ?? ''
  return readClientAddress({ remote: exchange.address, forwardedFor }, ports.trustedProxies)
}

function isSecure(exchange: Exchange, { tls, trustedProxies }: ServerPorts): boolean {
  if (tls) return true
  const forwarded = exchange.headers['x-forwarded-proto']?.split(',').at(-1)?.trim().toLowerCase()
  return forwarded === 'https' && isTrustedPeer(exchange.address, trustedProxies)
}

/** Takes the call from the account's bucket, or from the address's while nobody knows who calls. */
function count(exchange: Exchange, principal: Principal | null, ports: ServerPorts): void {
  if (exchange.path.startsWith(API) || exchange.path.startsWith('/device/')) {
    const take = takeCall(exchange, principal, ports)
    exchange.rate = take
    if (take.allowed) return
    const resetAt = new Date(take.resetAtMs).toISOString()
    throw new Problem('RATE_LIMIT_EXCEEDED', `more than ${take.limit} calls a minute`, {
      limit: take.limit,
      used: take.limit - take.remaining,
      resetAt,
      retryAfterS: take.retryAfterMs / 1000,
    })
  }
}

function takeCall(exchange: Exchange, principal: Principal | null, ports: ServerPorts): Take {
  // What a person looks at in a browser takes nothing from the account's programs.
  if (principal?.session !== undefined)
    return ports.limiter.take('address', `session ${principal.session.id}`, SESSION_CALLS_PER_MINUTE)
  if (principal !== null)
    return ports.limiter.take('account', principal.accountId, ports.plan(principal.plan).callsPerMinute)
  return ports.limiter.take('address', clientOf(exchange, ports).bucketKey, ports.anonymousCallsPerMinute)
}

/** The address's bucket, with nothing taken from it. */
function addressRate(exchange: Exchange, ports: ServerPorts): Take {
  return ports.limiter.peek('address', clientOf(exchange, ports).bucketKey, ports.anonymousCallsPerMinute)
}

/**
 * Answers with a refusal, or, for anything else that was thrown, logs it and answers that it is our fault.
 * Never throws: what leaves a callback of uWebSockets.js ends the thread.
 */
function refuse(exchange: Exchange, ports: ServerPorts, error: unknown): void {
  try {
    if (exchange.over) return
    const problem = error instanceof Problem ? error : ourFault(exchange, ports, error)
    tellRate(exchange, ports)
    exchange.answer({ ...problemAnswer(problem), close: isUnreadable(exchange, problem) })
  } catch (failure) {
    exchange.answer({ ...problemAnswer(ourFault(exchange, ports, failure)), close: true })
  }
}

/** Whether what follows on the connection cannot be told from a next request, or is too much to be read. */
function isUnreadable(exchange: Exchange, problem: Problem): boolean {
  if (exchange.fault !== null || problem.code === 'PAYLOAD_TOO_LARGE') return true
  // Late: the rest of the body may be what was waited for.
  if (exchange.isLate) return true
  return Number(exchange.headers['content-length'] ?? 0) > exchange.bodyBytesMax
}

/** The headers of the limit stand on every answer of the API, one that was not counted included. */
function tellRate(exchange: Exchange, ports: ServerPorts): void {
  if (exchange.rate === null && exchange.path.startsWith(API)) exchange.rate = addressRate(exchange, ports)
}

function ourFault(exchange: Exchange, ports: ServerPorts, error: unknown): Problem {
  const cause = error instanceof Error ? (error.stack ?? error.message) : String(error)
  const { requestId, route } = exchange
  ports.log({ level: 'error', event: 'request failed', fields: { requestId, route, cause } })
  return new Problem('INTERNAL_ERROR', `something went wrong; the log has the details under ${requestId}`)
}

function badHead(fault: string): Problem {
  return invalid([{ path: 'header', message: fault }])
}

function httpAnswer(answer: Answer): HttpAnswer {
  if ('raw' in answer) {
    const { raw, contentType, status, headers } = answer
    return { status: status ?? 200, contentType, body: raw, headers: headers ?? NO_HEADERS }
  }
  if ('dataJson' in answer) {
    const body = `{"success":true,"data":${answer.dataJson}}`
    return { status: 200, contentType: JSON_TYPE, body, headers: answer.headers ?? NO_HEADERS }
  }
  const { data, page, headers } = answer
  const body = JSON.stringify(page === undefined ? { success: true, data } : { success: true, data, page })
  return { status: 200, contentType: JSON_TYPE, body, headers: headers ?? NO_HEADERS }
}

function methodNotAllowed(allow: readonly string[]): Problem {
  return new Problem('METHOD_NOT_ALLOWED', `use ${allow.join(' or ')} here`, { allow })
}

function stopping(): Problem {
  return new Problem('SERVICE_UNAVAILABLE', 'the gateway is stopping', { retryAfterS: 5 })
}
