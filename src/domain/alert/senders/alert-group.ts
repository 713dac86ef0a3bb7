import { type Body, once } from '#domain/alert/body.ts'
import { shortNumber } from '#domain/alert/guess/measured-condition.ts'
import { isObject, objectsOf } from '#domain/alert/read/json-value.ts'
import { scalarOf } from '#domain/alert/read/scalar-of.ts'
import type { Sender } from '#domain/alert/sender.ts'
import { pick, placeOf, placeUnsaid, summaryOf, worstRank } from '#domain/alert/senders/alert-labels.ts'
import { reasonOfMany, shownOf, stateOf } from '#domain/alert/senders/many-alerts.ts'
import { type AlertGroup, readAlertGroup, sharedName } from '#domain/alert/senders/read-alert-group.ts'
import { commonPlace } from '#domain/alert/senders/tell-alerts-apart.ts'
import { says } from '#domain/alert/text/clean-text.ts'
import { severityOf } from '#domain/alert/vocabulary/states.ts'

const groupOf = once((body: Body) => readAlertGroup(body.value))

/** A part of the text that a group tells. */
function tell<T>(part: (group: AlertGroup) => T, otherwise: T): (body: Body) => T {
  return body => {
    const group = groupOf(body)
    return group === null ? otherwise : part(group)
  }
}

/**
 * A group of Alertmanager or of Grafana's unified alerting: `alerts[]` with `status`, `labels`,
 * `annotations`, `startsAt`, `endsAt`; also a bare array of alerts, or one alert alone.
 */
export const alertGroup: Sender = {
  format: 'alert-manager',
  matches: body => groupOf(body) !== null,
  state: [tell(stateOf, null)],
  severity: tell(group => severityOf(worstRank(shownOf(group))), null),
  subject: [tell(sharedName, '')],
  reason: [tell(group => (isOne(group) ? reasonOfOne(group) : reasonOfMany(group)), '')],
  extras: [
    tell(group => (isOne(group) ? placeOfOne(group) : commonPlace(shownOf(group))), ''),
    tell(group => (isOne(group) && group.firing === 1 && !hasSummary(group) ? valuesOf(group) : ''), ''),
  ],
  // How long the one that took longest lasted.
  lasted: tell(group => Math.max(0, ...group.alerts.map(alert => alert.spanMs || 0)), 0),
}

function isOne({ firing, resolved, hidden }: AlertGroup): boolean {
  return firing + resolved + hidden === 1
}

function hasSummary({ alerts: [alert] }: AlertGroup): boolean {
  return alert !== undefined && summaryOf(alert) !== ''
}

function reasonOfOne(group: AlertGroup): string | readonly string[] {
  const [alert] = group.alerts
  if (alert === undefined) return ''
  const place = placeOf(alert)
  const rule = pick(alert.labels, ['rulename'])
  // Grafana's own alert that a rule gets no data: it is called after the data source, not the rule.
  if (alert.firing && rule !== '' && !says(sharedName(group), rule)) return [rule, summaryOf(alert)]
  if (alert.firing) return summaryOf(alert) || place || valuesOf(group)
  // The summary still has the value that fired: the place tells more once it is over.
  return place !== '' && !says(sharedName(group), place) ? place : summaryOf(alert)
}

function placeOfOne(group: AlertGroup): string {
  const [alert] = group.alerts
  if (alert === undefined || !alert.firing || stateOf(group)?.kind === 'test') return ''
  return placeUnsaid(alert, `${sharedName(group)} ${summaryOf(alert)}`)
}

/** Grafana gives the values that fired by letter. */
function valuesOf(group: AlertGroup): string {
  const values = objectsOf(group.root['alerts'])[0]?.['values']
  if (!isObject(values)) return ''
  return (
    Object.entries(values)
      // A condition's own result is 0 or 1: it only says that it fired.
      .filter(([, value]) => value !== 0 && value !== 1)
      .slice(0, 4)
      .map(([name, value]) => `${name}=${shortNumber(scalarOf(value))}`)
      .join(' ')
  )
}
