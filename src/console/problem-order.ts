import type { HealthCode, HealthProblem } from '#contracts/health.ts'

/** What an owner hears first: an alert that nobody took, texts that do not leave, phones, the rest. */
const BY_WEIGHT: readonly (readonly HealthCode[])[] = [
  ['INCIDENT_UNANSWERED'],
  ['NO_DEVICE_ONLINE', 'QUEUE_STALLED', 'MESSAGES_FAILING', 'OUTCOME_UNKNOWN', 'RETRY_BRAKE'],
  ['BATTERY_LOW', 'DEVICE_OFFLINE'],
]

/** The problems, the heaviest first. What is critical for the gateway as a whole keeps texts from leaving. */
export function heaviestFirst<T extends Pick<HealthProblem, 'code' | 'severity'>>(
  problems: readonly T[],
): readonly T[] {
  const weight = ({ code, severity }: T) => {
    const known = BY_WEIGHT.findIndex(codes => codes.includes(code))
    if (known >= 0) return known
    return severity === 'critical' ? 1 : BY_WEIGHT.length
  }
  return problems.toSorted((one, other) => weight(one) - weight(other))
}
