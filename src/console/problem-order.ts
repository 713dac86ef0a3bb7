import type { HealthCode, HealthProblem } from '#contracts/health.ts'

/** What comes first: an alert that nobody took, texts that do not leave, alerts that nobody hears, phones. */
const BY_WEIGHT: readonly (readonly HealthCode[])[] = [
  ['INCIDENT_UNANSWERED'],
  [
    'NO_DEVICE_ONLINE',
    'GROUP_CANNOT_SEND',
    'QUEUE_STALLED',
    'MESSAGES_FAILING',
    'OUTCOME_UNKNOWN',
    'RETRY_BRAKE',
    'PLANNED_EXPIRED',
  ],
  ['NOBODY_ON_CALL', 'ANSWERS_CANNOT_ARRIVE', 'CANNOT_RING', 'WEBHOOK_OVER_CAP', 'PERSON_OVER_CAP'],
  ['BATTERY_LOW', 'DEVICE_OFFLINE'],
]

type Known = Pick<HealthProblem, 'code' | 'severity'>

/** The problems, the heaviest first. What is critical for the gateway as a whole keeps texts from leaving. */
export function heaviestFirst<T extends Known>(problems: readonly T[]): readonly T[] {
  const weight = ({ code, severity }: T) => {
    const known = BY_WEIGHT.findIndex(codes => codes.includes(code))
    if (known >= 0) return known
    return severity === 'critical' ? 1 : BY_WEIGHT.length
  }
  return problems.toSorted((one, other) => weight(one) - weight(other))
}

/** A row of Home: one problem, or all phones that are offline. */
export type ProblemRow<T> = readonly [first: T, ...others: T[]]

/**
 * What Home lists, and its badge in the menu counts: the heaviest first, and phones that are offline in one
 * row. @param waiting the alerts that stand above the list
 */
export function wrongThings<T extends Known & Pick<HealthProblem, 'subject'>>(
  problems: readonly T[],
  waiting: readonly { readonly id: string }[],
): readonly ProblemRow<T>[] {
  const listed = heaviestFirst(problems).filter(({ subject }) => !waiting.some(({ id }) => id === subject))
  const offline = listed.filter(({ code }) => code === 'DEVICE_OFFLINE')
  return listed.flatMap((problem): readonly ProblemRow<T>[] => {
    if (problem.code !== 'DEVICE_OFFLINE') return [[problem]]
    return problem === offline[0] ? [[problem, ...offline.slice(1)]] : []
  })
}
