import { Problem } from '#domain/problem.ts'

/**
 * Whether an account may have one more. `what`: what they are called, `people`.
 *
 * @throws Problem CONFLICT
 */
export function checkRoom(count: number, max: number, what: string): void {
  if (count >= max) throw new Problem('CONFLICT', `there are ${max} ${what} already: remove one first`)
}
