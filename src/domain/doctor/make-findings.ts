import type { CheckCode, CheckFinding, Look, Unseen } from '#domain/doctor/facts.ts'

type Told = Omit<CheckFinding, 'code' | 'severity'>

/** Makes findings with the code of one check: `tell.warning('It is late', 'Wait.')`. */
export function findingsOf(code: CheckCode) {
  const told = (severity: CheckFinding['severity'], { message, fix, subject }: Told): CheckFinding => {
    return { code, severity, subject, message, fix }
  }
  return {
    ok: (message: string, subject: string | null = null) => told('ok', { message, fix: null, subject }),
    unknown: (message: string) => told('unknown', { message, fix: null, subject: null }),
    warning: (message: string, fix: string, subject: string | null = null) =>
      told('warning', { message, fix, subject }),
    critical: (message: string, fix: string, subject: string | null = null) =>
      told('critical', { message, fix, subject }),
  }
}

export function isUnseen<T extends object>(look: Look<T>): look is Unseen {
  return 'unseen' in look
}
