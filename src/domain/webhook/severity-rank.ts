import { ALERT_SEVERITIES, type AlertSeverity } from '#contracts/webhook.ts'

/** A severity that is not stated: a monitor that is down is worse than a warning. */
const UNKNOWN_RANK = 1.5

/** How bad a severity is: the higher, the worse. Null: not known. */
export function severityRank(severity: AlertSeverity | null): number {
  return severity === null ? UNKNOWN_RANK : ALERT_SEVERITIES.indexOf(severity)
}
