/**
 * Where the handbook explains what the gateway reports: a path below the gateway's address, which ends with
 * the anchor of a heading in GUIDE.md. The row of a code has the code as its id.
 */
import type { HealthCode } from '#contracts/health.ts'
import type { ProblemCode } from '#contracts/problem.ts'

export const handbookOfSection = (anchor: string) => `handbook/${anchor}`
export const handbookOfProblem = (code: HealthCode) => `handbook/what-is-wrong#${code}`
export const handbookOfRefusal = (code: ProblemCode) => `handbook/refusals#${code}`
