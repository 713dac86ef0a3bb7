import type { Issue } from '#contracts/problem.ts'

/** True: the fields with these names show, each beside itself, everything that the API refused. */
export function isShownAt(fields: readonly string[], issues: readonly Issue[]): boolean {
  const isShown = (path: string) => fields.some(field => path === field || path.startsWith(`${field}.`))
  return issues.length > 0 && issues.every(({ path }) => isShown(path))
}
