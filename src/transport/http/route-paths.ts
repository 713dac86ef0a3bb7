import type { HttpRequest } from 'uWebSockets.js'
import { decodePercent } from '#domain/decode-text.ts'
import type { Method, Route } from '#transport/http/route.ts'

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
