import { ALERTS_READ_MAX } from '#contracts/bounds.ts'
import { type Report, says } from '#domain/alert/compose-report.ts'
import { scalarOf } from '#domain/alert/guess/find-fields.ts'
import { shortNumber } from '#domain/alert/guess/measured-condition.ts'
import { isObject, type Json, type JsonObject, objectsOf, recordOf } from '#domain/alert/read/json-value.ts'
import {
  type Alert,
  NAMES,
  pick,
  placeOf,
  placeUnsaid,
  rankOf,
  summaryOf,
  worstRank,
} from '#domain/alert/senders/alert-labels.ts'
import { isShort } from '#domain/alert/text/cut-text.ts'
import { stateTold } from '#domain/alert/text/headline.ts'
import { printSpan, spanBetween } from '#domain/alert/text/time-span.ts'
import { readState, type State, severityOf } from '#domain/alert/vocabulary/states.ts'

interface Group {
  readonly root: JsonObject
  readonly alerts: readonly Alert[]
  readonly firing: number
  readonly resolved: number
}

/**
 * A group of Alertmanager or of Grafana's unified alerting: `alerts[]` with `status`, `labels`,
 * `annotations`, `startsAt`, `endsAt`; names from `commonLabels`, `groupLabels`, then the alerts. Also a
 * bare array of alerts. `null` for anything else.
 */
export function describeAlertGroup(value: Json): Report | null {
  const root: JsonObject = isObject(value) ? value : {}
  const all = alertsOf(value, root)
  if (all.length === 0 || !all.some(alert => isObject(alert['labels']) || isObject(alert['annotations'])))
    return null
  const status = (scalarOf(root['status']) || scalarOf(root['state'])).toLowerCase()
  const alerts = all.slice(0, ALERTS_READ_MAX).map(alert => readAlert(alert, status))
  const firingAll = all.filter(alert => isFiring(alert, status)).length
  const cut = Number(scalarOf(root['truncatedAlerts'])) || 0
  const hidden = cut > 0 && cut < 1e6 ? Math.floor(cut) : 0
  const group: Group = {
    root,
    alerts,
    firing: firingAll + (firingAll > 0 ? hidden : 0),
    resolved: all.length - firingAll + (firingAll > 0 ? 0 : hidden),
  }
  const severity = severityOf(worstRank(group.alerts.filter(alert => alert.firing === firingAll > 0)))
  const report = group.firing + group.resolved === 1 ? describeOne(group) : describeMany(group)
  return severity === null ? report : { ...report, severity }
}

/** A list of alerts, or a payload that is one alert itself: with labels, or flat with the alert's name. */
function alertsOf(value: Json, root: JsonObject): readonly JsonObject[] {
  if (Array.isArray(value)) return objectsOf(value)
  if (Array.isArray(root['alerts']) && root['alerts'].length > 0) return objectsOf(root['alerts'])
  const common = root['commonLabels'] ?? root['groupLabels']
  if (isObject(common)) {
    return [
      recordOf([
        ...Object.entries(root),
        ['labels', common],
        ['annotations', root['commonAnnotations'] ?? null],
      ]),
    ]
  }
  if (isObject(root['labels']) && (scalarOf(root['status']) || scalarOf(root['state'])) !== '') return [root]
  const name = ['alertname', 'alertName', 'alert_name']
    .map(key => scalarOf(root[key]))
    .find(text => text !== '')
  if (name === undefined || (scalarOf(root['status']) || scalarOf(root['state'])) === '') return []
  return [
    recordOf([
      ...Object.entries(root),
      ['labels', recordOf([...Object.entries(root), ['alertname', name]])],
      ['annotations', root],
    ]),
  ]
}

function isFiring(alert: JsonObject, rootStatus: string): boolean {
  const status = scalarOf(alert['status'] ?? null).toLowerCase() || rootStatus
  return readState(status)?.kind !== 'good'
}

function readAlert(alert: JsonObject, rootStatus: string): Alert {
  const { labels, annotations } = alert
  return {
    firing: isFiring(alert, rootStatus),
    labels: isObject(labels) ? labels : {},
    annotations: isObject(annotations) ? annotations : {},
    spanMs: spanBetween(scalarOf(alert['startsAt']), scalarOf(alert['endsAt'])),
  }
}

function describeOne(group: Group): Report {
  const [alert] = group.alerts as [Alert]
  const what = nameOf(group)
  const summary = summaryOf(alert)
  const place = placeOf(alert)
  if (alert.firing) {
    const reason = summary || place || pick(alert.labels, ['rulename']) || valuesOf(group)
    const state = stateOf(group)
    return {
      state,
      what,
      summary: reason,
      detail:
        state?.kind === 'test'
          ? []
          : [placeUnsaid(alert, `${what} ${summary}`), summary === '' ? valuesOf(group) : ''],
    }
  }
  // The summary still has the value that fired: the place tells more once it is over.
  const detail = lasted([alert])
  return {
    state: stateOf(group),
    what,
    summary: place !== '' && !says(what, place) ? place : summary,
    detail,
  }
}

function describeMany(group: Group): Report {
  const { firing, resolved } = group
  const counts = [firing > 0 ? `${firing} firing` : '', resolved > 0 ? `${resolved} resolved` : '']
  const count = counts.filter(text => text !== '').join(', ')
  const shown = group.alerts.filter(alert => alert.firing === firing > 0)
  const head = { state: stateOf(group), what: nameOf(group), detail: firing > 0 ? [] : lasted(shown) }
  const prefix = `${head.state?.word ?? ''} ${head.what}: ${count}. `
  const total = firing > 0 ? firing : resolved
  shown.sort((one, other) => rankOf(one) - rankOf(other))
  const reasons = [...new Set(shown.map(alert => reasonWithPlace(alert, head.what)))].filter(
    text => text !== '',
  )
  const asReasons = reasons.join('; ')
  if (total <= 2 && shown.length === total && reasons.length === total && isShort(prefix + asReasons)) {
    return { ...head, summary: `${count}. ${asReasons}` }
  }
  const labels = shown.map(alert => distinctLabel(alert, head.what)).filter(text => text !== '')
  return { ...head, summary: [`${count}.`, listLabels([...new Set(labels)], total, prefix)].join(' ') }
}

/** How long the one that took longest lasted. */
function lasted(alerts: readonly Alert[]): readonly string[] {
  const spans = alerts.map(alert => alert.spanMs).filter(span => span > 0)
  const span = printSpan(Math.max(0, ...spans))
  return span === '' ? [] : [`after ${span}`]
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

/**
 * What sets an alert of the group apart: its place, or its name where the group has several, or its
 * summary.
 */
function distinctLabel(alert: Alert, groupName: string): string {
  const place = placeOf(alert)
  const name = pick(alert.labels, NAMES)
  const parts = says(groupName, name) ? [place] : [name, place]
  return parts.filter(part => part !== '').join(' ') || summaryOf(alert)
}

function nameOf(group: Group): string {
  for (const key of ['commonLabels', 'groupLabels'] as const) {
    const labels = group.root[key]
    const name = isObject(labels) ? pick(labels, NAMES) : ''
    if (name !== '') return name
  }
  const own = pick(group.root, ['alertname', 'alert'])
  if (own !== '') return own
  const names = new Set(group.alerts.map(alert => pick(alert.labels, NAMES)).filter(name => name !== ''))
  return names.size === 1 ? [...names].join('') : ''
}

function stateOf(group: Group): State | null {
  const first = group.alerts[0]
  const name = first === undefined ? '' : pick(first.labels, NAMES)
  const told = first === undefined ? null : stateTold(`${summaryOf(first)}`)
  if (group.alerts.length === 1 && (told?.kind === 'test' || stateTold(name)?.kind === 'test'))
    return readState('test')
  if (group.firing === 0) return readState('resolved')
  const own = readState(scalarOf(group.root['status']))
  return (
    worstRank(group.alerts.filter(alert => alert.firing)) ?? (own?.kind === 'bad' ? own : readState('firing'))
  )
}

/** Grafana gives the values that fired by letter. */
function valuesOf(group: Group): string {
  const alert = objectsOf(group.root['alerts'])[0]
  const values = alert?.['values']
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
