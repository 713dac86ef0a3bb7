import type { Issue } from '#contracts/problem.ts'

/** Whether each issue belongs to one of these fields, which shows its own issues. False if there are none. */
export function isShownAt(fields: readonly string[], issues: readonly Issue[]): boolean {
  const isShown = (path: string) => fields.some(field => path === field || path.startsWith(`${field}.`))
  return issues.length > 0 && issues.every(({ path }) => isShown(path))
}
