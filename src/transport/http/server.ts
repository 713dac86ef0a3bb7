/** Handles all requests in the same steps: exchange, caller, rate limits, body, route, answer. */
import type { HttpRequest, HttpResponse, TemplatedApp } from 'uWebSockets.js'
import type { ProblemCode } from '#contracts/problem.ts'
import type { Principal } from '#domain/account/principal.ts'
import { gatewayStopping, invalid, leadsNoLonger, limitReached, Problem } from '#domain/problem.ts'
import { authenticate, refuseRole, unauthorized } from '#transport/http/authenticate.ts'
import { checkJsonType, parseJsonObject } from '#transport/http/body.ts'
import {
  API,
  addressRate,
  clientOf,
  countApiCall,
  countCall,
  countUnread,
  isSecure,
  refuseLong,
} from '#transport/http/count-call.ts'
import { decodeBody, isPacked } from '#transport/http/decode-body.ts'
import { Exchange, type ExchangeHost } from '#transport/http/exchange.ts'
import { ignoredNames, withFields } from '#transport/http/field-names.ts'
import { envelopeAnswer } from '#transport/http/http-answer.ts'
import { OpenExchanges } from '#transport/http/open-exchanges.ts'
import { readFields } from '#transport/http/read-fields.ts'
import { declaredBytes, logFailure, notRead, refuseCall, tooLong } from '#transport/http/refuse-call.ts'
import type { Answer, AuthorizedCall, Handle, Head, Route } from '#transport/http/route.ts'
import {
  methodsOf,
  parametersOf,
  pattern,
  refusalsByPath,
  routeFor,
  routesByPath,
} from '#transport/http/route-paths.ts'
import type { ServerPorts } from '#transport/http/server-ports.ts'

/**
 * Longest body that is read of a caller who is not known: a text of 1,600 characters for a hundred numbers,
 * or a long alert.
 */
export const STRANGER_BYTES_MAX = 65_536

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
    refuseUnrouted(exchange, ports, problem)
  }
  for (const { method, path, candidates } of routesByPath(routes.map(withFields))) {
    const verbs = methodsOf(method)
    if (candidates.some(({ matches }) => matches === undefined))
      methods.set(path, [...(methods.get(path) ?? []), ...verbs])
    const handle = (res: HttpResponse, req: HttpRequest): void => {
      const route = routeFor(candidates, req)
      if (route === undefined) return void req.setYield(true)
      const exchange = begin({ res, req, isTls, ports, host, template: route.path })
      exchange.refusal = route.refusal ?? null
      // A path without parameters has its own methods, even if this route's pattern matches it, too.
      const ownMethods = methods.get(exchange.path)
      if (ownMethods !== undefined && exchange.path !== path)
        refuseUnrouted(exchange, ports, methodNotAllowed(ownMethods))
      else serve({ exchange, route, ports, parameters: parametersOf(route, exchange.path) })
    }
    app[UWS_METHOD[method]](pattern(path), handle)
    // HEAD runs the GET handler; the exchange leaves out the body.
    if (verbs.includes('HEAD')) app.head(pattern(path), handle)
  }
  for (const [path, allowed] of methods)
    app.any(pattern(path), (res, req) => deny({ res, req, template: path }, methodNotAllowed(allowed)))
  app.any('/*', (res, req) => {
    deny({ res, req, template: 'unknown' }, new Problem('NOT_FOUND', 'there is nothing at this path'))
  })
}

/** Refuses a request that no route handles. It counts against the caller's rate limit like any request. */
function refuseUnrouted(exchange: Exchange, ports: ServerPorts, problem: Problem): void {
  try {
    exchange.dropBody()
    if (exchange.fault !== null) throw badHeaders(exchange.fault)
    const isApi = exchange.path.startsWith(API)
    countApiCall(exchange, isApi ? authenticate(exchange, ports.credentials, 'key') : null, ports)
    throw problem
  } catch (error) {
    refuseCall(exchange, ports, error)
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
    large: ports.large,
    expired: exchange =>
      refuseCall(exchange, ports, new Problem('SERVICE_UNAVAILABLE', TOO_SLOW, { retryAfterS: 5 })),
    failed: (exchange, error) => logFailure(exchange, ports, error),
    ended: ({ route, method, requestId, startedAt }, status) =>
      ports.answered({ route, method, requestId, status, ms: performance.now() - startedAt }),
  }
}

function begin({ res, req, isTls, ports, host, template }: Opening): Exchange {
  const exchange = new Exchange(res, req, host)
  ports.opened()
  exchange.route = template
  exchange.isTls = isTls
  exchange.bodyBytesMax = ports.settings().bodyBytesMax
  return exchange
}

interface Serving {
  readonly exchange: Exchange
  readonly route: Route
  readonly ports: ServerPorts
  readonly parameters: readonly string[]
}

/** The caller of a route with access `key` or `account`, or what the route's `admit` returned. */
type Admitted = Principal | Handle | null

/**
 * Handles a request of a route. Everything that needs uWebSockets.js' request object happens before this
 * function returns.
 */
function serve(serving: Serving): void {
  const { exchange, route, ports } = serving
  if (route.body === 'none') exchange.dropBody()
  try {
    if (exchange.fault !== null) throw badHeaders(exchange.fault)
    if ('credential' in route) exchange.bodyBytesMax = Math.min(STRANGER_BYTES_MAX, exchange.bodyBytesMax)
    if (ports.leads?.() === false) throw leadsNoLonger()
    if (ports.draining() && route.method !== 'get') throw gatewayStopping()
    const admitted = find(serving)
    admit(serving, admitted)
    if (route.body === 'none') handle(serving, admitted, EMPTY)
    else exchange.readBody(exchange.bodyBytesMax, bytes => handle(serving, admitted, bytes))
  } catch (error) {
    refuseCall(exchange, ports, error)
  }
}

/** Finds the caller. @throws Problem of the route's `admit` */
function find(serving: Serving): Admitted {
  const { exchange, route, ports } = serving
  if (route.access !== 'public') return authenticate(exchange, ports.credentials, route.access)
  if (!('admit' in route)) return null
  exchange.rate = addressRate(exchange, ports)
  try {
    return route.admit(headOf(serving))
  } catch (error) {
    // A caller that is refused and sends a long body learns of both, and its connection closes.
    const isUnknown = error instanceof Problem && UNKNOWN_CALLER.has(error.code)
    const { bodyBytesMax } = ports.settings()
    if (isUnknown && declaredBytes(exchange) > bodyBytesMax) throw tooLong(bodyBytesMax)
    throw error
  }
}

/** @throws Problem when the caller is unknown, exceeds the rate limit, or sends the wrong Content-Type */
function admit({ exchange, route, ports }: Serving, admitted: Admitted): void {
  if (route.access !== 'public') {
    const principal = admitted as Principal | null
    countApiCall(exchange, principal, ports)
    if (principal === null) throw unauthorized(route.access)
    exchange.accountId = principal.accountId
    refuseRole(principal, route.role)
  } else if (route.counted !== false) {
    if (route.body === 'none') countApiCall(exchange, null, ports)
    else countCall(exchange, null, ports)
  } else if (!('admit' in route)) {
    exchange.rate = addressRate(exchange, ports)
    exchange.isUncounted = 'credential' in route
    // Only the body says who calls, so an address with many wrong calls may not have its bodies unpacked.
    if (isPacked(exchange.headers['content-encoding']) && !exchange.rate.allowed)
      throw limitReached('too many calls from this address for a packed body', exchange.rate)
    refuseLong(exchange, declaredBytes(exchange))
  }
  if (route.body === 'json') checkJsonType(exchange.headers['content-type'])
}

/** Calls the route. Not an async function, because its promises would cost time in each send. */
function handle(serving: Serving, admitted: Admitted, bytes: Buffer | null): void {
  const { exchange, route, ports } = serving
  const fail = (error: unknown) => refuseCall(exchange, ports, countUnread(exchange, ports, error))
  try {
    if (bytes === null) throw notRead(exchange)
    refuseLong(exchange, bytes.length)
    const principal = typeof admitted === 'function' ? null : admitted
    const call = callOf(serving, principal, unpacked(serving, bytes))
    if (route.isField !== undefined) name(exchange, 'Ignored', ignoredNames(call.json, route.isField))
    const run = typeof admitted === 'function' ? admitted : (route as { handle: Handle }).handle
    const answer = run(call)
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
    refuseCall(exchange, ports, error)
  }
}

/** @throws Problem PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE */
function unpacked({ exchange, route }: Serving, bytes: Buffer): Buffer {
  const encoding = exchange.headers['content-encoding']
  if (encoding === undefined) return bytes
  const isKnown = route.access !== 'public' || 'admit' in route
  return decodeBody(bytes, encoding, { bytesMax: exchange.bodyBytesMax, isKnown })
}

const UNKNOWN_CALLER: ReadonlySet<ProblemCode> = new Set(['NOT_FOUND', 'UNAUTHORIZED'] as const)
const EMPTY = Buffer.alloc(0)
const TOO_SLOW = 'the gateway could not answer in time: try again in 5 s'

function jsonOf(exchange: Exchange, route: Route, bytes: Buffer): unknown {
  const contentType = exchange.headers['content-type']
  if (route.body === 'fields') return readFields(bytes, contentType, { request: route.operation?.request })
  if (route.body !== 'json') return undefined
  return route.mayBeEmpty && bytes.length === 0 ? {} : parseJsonObject(bytes, { contentType })
}

function headOf({ exchange, ports, parameters }: Serving): Head {
  return {
    method: exchange.method as Head['method'],
    parameters,
    rawQuery: exchange.query,
    header: name => exchange.headers[name],
    client: () => clientOf(exchange, ports),
    isSecure: () => isSecure(exchange, ports),
    count: caller => {
      exchange.isUncounted = false
      exchange.accountId = caller?.accountId ?? ''
      countCall(exchange, caller, ports)
    },
    showRate: rate => {
      exchange.isUncounted = false
      exchange.rate = rate
    },
    ignore: names => name(exchange, 'Ignored', names),
    leaveOut: numbers => name(exchange, 'Opted-Out', numbers.join(', ')),
    limitBody: (bytesMax, accountId = exchange.accountId) => {
      exchange.bodyBytesMax = bytesMax
      exchange.accountId = accountId
    },
    onEnd: done => exchange.onEnd(done),
    requestId: exchange.requestId,
  }
}

/** Makes the call for the route. `principal` is null only for public routes, which do not read it. */
function callOf(serving: Serving, principal: Principal | null, bytes: Buffer): AuthorizedCall {
  const json = jsonOf(serving.exchange, serving.route, bytes)
  const by = principal?.user?.id ?? principal?.keyId ?? ''
  return Object.assign(headOf(serving), { principal: principal as Principal, by, json, bytes })
}

/** Names something in a header of the answer. */
function name(exchange: Exchange, what: 'Ignored' | 'Opted-Out', names: string): void {
  if (names !== '') exchange.named += `\r\nX-Roost-${what}: ${names}`
}

function badHeaders(fault: string): Problem {
  return invalid([{ path: 'header', message: fault }])
}

function methodNotAllowed(allow: readonly string[]): Problem {
  return new Problem('METHOD_NOT_ALLOWED', `use ${allow.join(' or ')} here`, { allow })
}
