import type { Route } from '#transport/http/route.ts'

/** The route by each of its paths. */
export function pathsOf(route: Route): (readonly [route: Route, path: string])[] {
  return [route.path, ...(route.aliases ?? [])].map(path => [route, path] as const)
}

/** The path as uWebSockets.js wants it. */
export function pattern(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1')
}

const NONE: readonly string[] = []

/** Values of the path's parameters; one that is not percent-encoded UTF-8 matches nothing. */
export function parametersOf(route: Route, path: string): readonly string[] {
  if (!route.path.includes('{')) return NONE
  const given = path.split('/')
  return route.path.split('/').flatMap((part, index) => {
    if (!part.startsWith('{')) return []
    try {
      return [decodeURIComponent(given[index] ?? '')]
    } catch {
      return ['']
    }
  })
}

/** Monitors use HEAD for every GET route. */
export function methodsOf({ method }: Route): string[] {
  return method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]
}
