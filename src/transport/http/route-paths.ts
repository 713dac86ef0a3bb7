import type { HttpRequest } from 'uWebSockets.js'
import { decodePercent } from '#domain/decode-text.ts'
import type { FormatRefusal, Method, Route } from '#transport/http/route.ts'

interface SharedPath {
  readonly method: Method
  readonly path: string
  /** Routes that match only some requests come first. */
  readonly candidates: Route[]
}

/** The routes of each method and path. uWebSockets.js takes only one handler for them. */
export function routesByPath(routes: readonly Route[]): Iterable<SharedPath> {
  const shared = new Map<string, SharedPath>()
  for (const route of routes)
    for (const path of [route.path, ...(route.aliases ?? [])]) {
      const { method } = route
      const known: SharedPath = shared.get(`${method} ${path}`) ?? { method, path, candidates: [] }
      if (route.matches === undefined) known.candidates.push(route)
      else known.candidates.unshift(route)
      shared.set(`${method} ${path}`, known)
    }
  return shared.values()
}

/** The first route that matches the request. */
export function routeFor(candidates: readonly Route[], req: HttpRequest): Route | undefined {
  for (const route of candidates) {
    if (route.matches === undefined) return route
    const path = req.getUrl()
    if (route.matches(parametersOf(route, path), { path, query: req.getQuery() ?? '' })) return route
  }
  return undefined
}

/** A path in the syntax of uWebSockets.js, with `:name` for parameters. */
export function pattern(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1')
}

const NONE: readonly string[] = []

/** The values of the path's parameters. */
export function parametersOf(route: Route, path: string): readonly string[] {
  if (!route.path.includes('{')) return NONE
  const segments = path.split('/')
  return route.path.split('/').flatMap((part, index) => {
    if (!part.startsWith('{')) return []
    return [decodePercent(segments[index] ?? '')]
  })
}

/** The methods of a route. HEAD belongs to each GET route, because monitoring programs use it. */
export function methodsOf(method: Method): string[] {
  return method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]
}

/**
 * Finds the format of refusals at a path without a route. A path that begins like those of a dialect gets the
 * format of the dialect, so that its clients understand the refusal. Null: Roost's own format.
 */
export function refusalsByPath(routes: readonly Route[]): (path: string) => FormatRefusal | null {
  const formats = new Map<string, FormatRefusal>()
  for (const { path, aliases = [], refusal } of routes)
    for (const one of [path, ...aliases]) if (refusal !== undefined) formats.set(stemOf(one), refusal)
  // A path of any API gets one of these stems if it is written with a doubled slash.
  for (const stem of ['', 'api/']) formats.delete(stem)
  return path => formats.get(stemOf(path)) ?? null
}

/**
 * The first part of a path, or the first two if the first is `api`, because Roost's own API is below
 * `/api/v1`.
 */
function stemOf(path: string): string {
  const [, first = '', second = ''] = path.split('/')
  return first === 'api' ? `api/${second}` : first
}
