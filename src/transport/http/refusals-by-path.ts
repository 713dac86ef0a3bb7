import type { Refusal, Route } from '#transport/http/route.ts'

/**
 * Finds the format of a refusal at a path without a route. Near the paths of another gateway's API it is that
 * gateway's format, so that the gateway's clients understand it. Null: Roost's own format.
 */
export function refusalsByPath(routes: readonly Route[]): (path: string) => Refusal | null {
  const formats = new Map<string, Refusal>()
  for (const { path, aliases = [], refusal } of routes)
    for (const one of [path, ...aliases]) if (refusal !== undefined) formats.set(stemOf(one), refusal)
  // Paths of several APIs have these stems, if they are written with a doubled slash.
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
