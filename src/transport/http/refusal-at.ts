import type { Refusal, Route } from '#transport/http/route.ts'

/**
 * The format of a refusal at a path without a route: below the paths of another gateway's API in that
 * gateway's format, so that its client understands it; null: in our format.
 */
export function refusalsByPath(routes: readonly Route[]): (path: string) => Refusal | null {
  const shapes = new Map<string, Refusal>()
  for (const { path, aliases = [], refusal } of routes)
    for (const one of [path, ...aliases]) if (refusal !== undefined) shapes.set(stemOf(one), refusal)
  // Of spellings with a doubled slash: these parts do not tell whose path it is.
  for (const stem of ['', 'api/']) shapes.delete(stem)
  return path => shapes.get(stemOf(path)) ?? null
}

/** The first part of a path, and the second where the first one is `api`: all of ours are below `/api/v1`. */
function stemOf(path: string): string {
  const [, first = '', second = ''] = path.split('/')
  return first === 'api' ? `api/${second}` : first
}
