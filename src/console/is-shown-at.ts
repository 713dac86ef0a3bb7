import type { Issue } from '#contracts/problem.ts'

/** Whether there are issues and each belongs to one of these fields, which show their issues themselves. */
export function isShownAt(fields: readonly string[], issues: readonly Issue[]): boolean {
  const isShown = (path: string) => fields.some(field => path === field || path.startsWith(`${field}.`))
  return issues.length > 0 && issues.every(({ path }) => isShown(path))
}
