import { type Body, once } from '#domain/alert/body.ts'
import { shortNumber } from '#domain/alert/guess/measured-condition.ts'
import { isObject, objectsOf } from '#domain/alert/read/json-value.ts'
import { scalarOf } from '#domain/alert/read/scalar-of.ts'
import type { Sender } from '#domain/alert/sender.ts'
import {
  type Alert,
  commonPlace,
  distinctLabels,
  NAMES,
  pick,
  placeOf,
  placeUnsaid,
  rankOf,
  summaryOf,
  worstRank,
} from '#domain/alert/senders/alert-labels.ts'
import { type AlertGroup, readAlertGroup, sharedName } from '#domain/alert/senders/read-alert-group.ts'
import { says } from '#domain/alert/text/clean-text.ts'
import { isShort } from '#domain/alert/text/cut-text.ts'
import { stateTold } from '#domain/alert/text/headline.ts'
import { readState, type State, severityOf } from '#domain/alert/vocabulary/states.ts'

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

/** The alerts that the text is about: those firing, or all when none is; the worst first. */
function shownOf(group: AlertGroup): readonly Alert[] {
  const shown = group.alerts.filter(alert => alert.firing === group.firing > 0)
  return shown.sort((one, other) => rankOf(one) - rankOf(other))
}

function stateOf(group: AlertGroup): State | null {
  const [only] = group.alerts
  const words =
    only === undefined || group.alerts.length > 1 ? [] : [summaryOf(only), pick(only.labels, NAMES)]
  if (words.some(text => stateTold(text)?.kind === 'test')) return readState('test')
  if (group.firing === 0) return readState('resolved')
  const own = readState(scalarOf(group.root['status']))
  return worstRank(shownOf(group)) ?? (own?.kind === 'bad' ? own : readState('firing'))
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

/** `2 firing. web-1 disk full; web-2 load 12`, or what tells the alerts apart. */
function reasonOfMany(group: AlertGroup): string {
  const { firing, resolved, hidden } = group
  const name = sharedName(group)
  const isMixed = firing > 0 && resolved > 0
  const total = (firing > 0 ? firing : resolved) + (isMixed ? 0 : hidden)
  const counts = isMixed
    ? [`${firing} firing`, `${resolved} resolved`, hidden > 0 ? `${hidden} not shown` : '']
    : [`${total} ${firing > 0 ? 'firing' : 'resolved'}`]
  const head = `${counts.filter(text => text !== '').join(', ')}${name === '' ? ':' : '.'}`
  const prefix = `${stateOf(group)?.word ?? ''} ${name}: ${head} `
  const shown = shownOf(group)
  const reasons = [...new Set(shown.map(alert => reasonWithPlace(alert, name)))].filter(text => text !== '')
  const asReasons = reasons.join('; ')
  const isWhole = shown.length === total && reasons.length === total
  if (total <= 2 && isWhole && isShort(prefix + asReasons)) return `${head} ${asReasons}`
  return `${head} ${listLabels(distinctLabels(shown, name), total, prefix)}`
}

/** A summary says which alert it is of. */
function reasonWithPlace(alert: Alert, groupName: string): string {
  const summary = summaryOf(alert)
  const place = summary === '' ? '' : placeUnsaid(alert, `${groupName} ${summary}`)
  return place === '' ? summary : `${place} ${summary}`
}

/** `a, b, c +4 more`, as many as one segment holds, at least one. */
function listLabels(labels: readonly string[], total: number, prefix: string): string {
  const more = (kept: number): string => (total > kept ? ` +${total - kept} more` : '')
  let kept = Math.min(labels.length, total)
  while (kept > 1 && !isShort(prefix + labels.slice(0, kept).join(', ') + more(kept))) kept -= 1
  return kept === 0 ? '' : labels.slice(0, kept).join(', ') + more(kept)
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
