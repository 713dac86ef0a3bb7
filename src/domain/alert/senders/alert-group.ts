import { type Body, oncePerBody } from '#domain/alert/body.ts'
import { shortNumber } from '#domain/alert/guess/measured-condition.ts'
import { isObject, objectsOf } from '#domain/alert/read/json-value.ts'
import { scalarOf } from '#domain/alert/read/scalar-of.ts'
import type { Sender } from '#domain/alert/sender.ts'
import {
  alertSummary,
  partIfMissing,
  placeIfMissing,
  placeOf,
  worstState,
} from '#domain/alert/senders/alert-labels.ts'
import { commonPlace } from '#domain/alert/senders/distinct-labels.ts'
import { groupState, reasonOfMany, sharedLackOfData, shownOf } from '#domain/alert/senders/many-alerts.ts'
import { type AlertGroup, readAlertGroup, sharedName } from '#domain/alert/senders/read-alert-group.ts'
import { mentions } from '#domain/alert/text/clean-text.ts'
import { severityOf } from '#domain/alert/vocabulary/states.ts'

const groupOf = oncePerBody((body: Body) => readAlertGroup(body.value))

/** Makes a part of a sender from a function that reads the group of alerts. */
function fromGroup<T>(part: (group: AlertGroup) => T, otherwise: T): (body: Body) => T {
  return body => {
    const group = groupOf(body)
    return group === null ? otherwise : part(group)
  }
}

/**
 * A group of alerts from Alertmanager or Grafana's unified alerting: `alerts[]` with `status`, `labels`,
 * `annotations`, `startsAt` and `endsAt`. Also a bare array of such alerts, or a single one.
 */
export const alertGroup: Sender = {
  format: 'alert-manager',
  matches: body => groupOf(body) !== null,
  state: [fromGroup(groupState, null)],
  severity: fromGroup(group => severityOf(worstState(shownOf(group))), null),
  subject: [fromGroup(sharedName, '')],
  reason: [fromGroup(group => (isOne(group) ? reasonOfOne(group) : reasonOfMany(group)), '')],
  extras: [
    fromGroup(group => (isOne(group) ? placeOfOne(group) : commonPlace(shownOf(group))), ''),
    fromGroup(group => (isOne(group) ? partOfOne(group) : sharedLackOfData(group)), ''),
    fromGroup(group => (isOne(group) && group.firing === 1 && !hasSummary(group) ? valuesOf(group) : ''), ''),
  ],
  // Of several alerts, the longest one counts.
  lasted: fromGroup(group => Math.max(0, ...group.alerts.map(alert => alert.spanMs || 0)), 0),
}

function isOne({ firing, resolved, hidden }: AlertGroup): boolean {
  return firing + resolved + hidden === 1
}

function hasSummary({ alerts: [alert] }: AlertGroup): boolean {
  return alert !== undefined && alertSummary(alert) !== ''
}

function reasonOfOne(group: AlertGroup): string | readonly string[] {
  const [alert] = group.alerts
  if (alert === undefined) return ''
  const place = placeOf(alert)
  if (alert.firing) return alertSummary(alert) || place || valuesOf(group)
  // Once the alert is over the place says more, because the summary still has the value from when it fired.
  if (place === '' || mentions(sharedName(group), place)) return alertSummary(alert)
  return `${place} ${partIfMissing(alert, `${sharedName(group)} ${place}`)}`.trim()
}

function placeOfOne(group: AlertGroup): string {
  const [alert] = group.alerts
  if (alert === undefined || !alert.firing || groupState(group)?.kind === 'test') return ''
  return placeIfMissing(alert, `${sharedName(group)} ${alertSummary(alert)}`)
}

function partOfOne(group: AlertGroup): string {
  const [alert] = group.alerts
  if (alert === undefined || groupState(group)?.kind === 'test') return ''
  // `reasonOfOne` shows the part of a resolved alert behind its place.
  if (!alert.firing && placeOf(alert) !== '') return ''
  return partIfMissing(alert, `${sharedName(group)} ${alertSummary(alert)} ${placeOf(alert)}`)
}

/** The measured values. Grafana names them by a letter: `B=97.1`. */
function valuesOf(group: AlertGroup): string {
  const values = objectsOf(group.root['alerts'])[0]?.['values']
  if (!isObject(values)) return ''
  return (
    Object.entries(values)
      // 0 and 1 are the results of conditions, which only say that the alert fired.
      .filter(([, value]) => value !== 0 && value !== 1)
      .slice(0, 4)
      .map(([name, value]) => `${name}=${shortNumber(scalarOf(value))}`)
      .join(' ')
  )
}
