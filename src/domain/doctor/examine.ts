import type { HealthProblem } from '#contracts/health.ts'
import type { CheckCode, CheckSeverity, DoctorFacts } from '#domain/doctor/facts.ts'
import { MACHINE_CHECKS } from '#domain/doctor/machine-checks.ts'
import { MODEM_CHECKS } from '#domain/doctor/modem-checks.ts'
import { PROGRAM_CHECKS } from '#domain/doctor/program-checks.ts'
import { STORAGE_CHECKS } from '#domain/doctor/storage-checks.ts'

/** A problem of the gateway, or a finding about the machine. */
export interface Diagnosis {
  readonly code: HealthProblem['code'] | CheckCode
  readonly severity: CheckSeverity
  /** Since when, ISO 8601 in UTC. Null for a finding about the machine, which has no start. */
  readonly since: string | null
  readonly subject: string | null
  readonly message: string
  /** What to do. Null: nothing. */
  readonly fix: string | null
}

const ORDER = ['critical', 'warning', 'unknown', 'ok'] as const

/** All problems of the gateway and all findings about the machine, the worst first. */
export function examine(facts: DoctorFacts, problems: readonly HealthProblem[]): Diagnosis[] {
  const checks = [...PROGRAM_CHECKS, ...STORAGE_CHECKS, ...MACHINE_CHECKS, ...MODEM_CHECKS]
  const findings = checks.flatMap(check => check(facts)).map(finding => ({ since: null, ...finding }))
  return [...problems, ...findings].toSorted((a, b) => ORDER.indexOf(a.severity) - ORDER.indexOf(b.severity))
}
