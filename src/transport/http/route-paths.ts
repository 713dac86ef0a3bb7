import type { Route } from '#transport/http/route.ts'

/** The route with each of its paths. */
export function pathsOf(route: Route): (readonly [route: Route, path: string])[] {
  return [route.path, ...(route.aliases ?? [])].map(path => [route, path] as const)
}

/** A path in the syntax of uWebSockets.js, with `:name` for parameters. */
export function pattern(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1')
}

const NONE: readonly string[] = []

/** The values of the path's parameters. A value whose percent-encoding is invalid becomes empty. */
export function parametersOf(route: Route, path: string): readonly string[] {
  if (!route.path.includes('{')) return NONE
  const segments = path.split('/')
  return route.path.split('/').flatMap((part, index) => {
    if (!part.startsWith('{')) return []
    try {
      return [decodeURIComponent(segments[index] ?? '')]
    } catch {
      return ['']
    }
  })
}

/** The methods of a route. HEAD belongs to each GET route, because monitoring programs use it. */
export function methodsOf({ method }: Route): string[] {
  return method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]
}
