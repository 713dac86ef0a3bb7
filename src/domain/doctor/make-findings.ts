import type { CheckCode, CheckFinding, Fact, Unreadable } from '#domain/doctor/facts.ts'

type FindingText = Omit<CheckFinding, 'code' | 'severity'>

/** Makes findings with the code of one check: `report.warning('It is late', 'Wait.')`. */
export function findingsOf(code: CheckCode) {
  const finding = (
    severity: CheckFinding['severity'],
    { message, fix, subject }: FindingText,
  ): CheckFinding => {
    return { code, severity, subject, message, fix }
  }
  return {
    ok: (message: string, subject: string | null = null) => finding('ok', { message, fix: null, subject }),
    unknown: (message: string, fix: string | null = null) =>
      finding('unknown', { message, fix, subject: null }),
    warning: (message: string, fix: string, subject: string | null = null) =>
      finding('warning', { message, fix, subject }),
    critical: (message: string, fix: string, subject: string | null = null) =>
      finding('critical', { message, fix, subject }),
  }
}

export function isUnreadable<T extends object>(fact: Fact<T>): fact is Unreadable {
  return 'unreadable' in fact
}
