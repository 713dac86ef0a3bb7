import type { FormatRefusal, Route } from '#transport/http/route.ts'

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
