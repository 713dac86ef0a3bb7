import { isObject, type Json, type JsonObject, objectsOf, recordOf } from '#domain/alert/read/json-value.ts'
import { scalarOf } from '#domain/alert/read/scalar-of.ts'
import { type Alert, NAMES, pick } from '#domain/alert/senders/alert-labels.ts'
import { cleanLine } from '#domain/alert/text/clean-text.ts'
import { spanBetween } from '#domain/alert/text/time-span.ts'
import { readState } from '#domain/alert/vocabulary/states.ts'

/** Alerts of one group whose labels are read; the others are only counted. */
const ALERTS_READ_MAX = 64

/** The alerts of one body, often only one. */
export interface AlertGroup {
  readonly root: JsonObject
  readonly alerts: readonly Alert[]
  readonly firing: number
  readonly resolved: number
  /** How many alerts the sender left out of the body. */
  readonly hidden: number
}

/** Reads alerts with labels or annotations. `null` for a body without any. `most`: whose labels are read. */
export function readAlertGroup(value: Json, most = ALERTS_READ_MAX): AlertGroup | null {
  const root: JsonObject = isObject(value) ? value : {}
  const all = alertsOf(value, root)
  if (!all.some(alert => isObject(alert['labels']) || isObject(alert['annotations']))) return null
  const status = statusOf(root).toLowerCase()
  const firing = all.filter(alert => isFiring(alert, status)).length
  const truncated = Number(scalarOf(root['truncatedAlerts'])) || 0
  return {
    root,
    alerts: all.slice(0, most).map(alert => readAlert(alert, status)),
    firing,
    resolved: all.length - firing,
    hidden: truncated > 0 && truncated < 1e6 ? Math.floor(truncated) : 0,
  }
}

/** The name that all alerts share. If alerts were left out, only a name in the labels of the group counts. */
export function sharedName({ root, alerts, firing, resolved, hidden }: AlertGroup): string {
  const grouped = isObject(root['groupLabels']) ? pick(root['groupLabels'], NAMES) : ''
  const isWhole = hidden === 0 && alerts.length === firing + resolved
  const common = isObject(root['commonLabels']) ? pick(root['commonLabels'], NAMES) : ''
  const isOfRule = [grouped, common].some(name => NO_VALUE.test(name))
  const own = isOfRule ? '' : grouped || pick(root, ['alertname', 'alert'])
  const names = new Set(alerts.map(alert => pick(alert.labels, NAMES)).filter(name => name !== ''))
  if (names.size > 1) return ''
  return own || (isWhole ? (isOfRule ? '' : common) || [...names].join('') : '')
}

/** The alerts of a body: a list, or the body itself if it is one alert, with labels or with an alert name. */
function alertsOf(value: Json, root: JsonObject): readonly JsonObject[] {
  if (Array.isArray(value)) return objectsOf(value)
  if (Array.isArray(root['alerts']) && root['alerts'].length > 0) return objectsOf(root['alerts'])
  const common = root['commonLabels'] ?? root['groupLabels']
  if (isObject(common)) {
    // A group without its alerts is read as one alert with the labels that they share.
    return [
      recordOf([
        ...Object.entries(root),
        ['labels', common],
        ['annotations', root['commonAnnotations'] ?? null],
      ]),
    ]
  }
  if (statusOf(root) === '') return []
  if (isObject(root['labels'])) return [root]
  const name = ['alertname', 'alertName', 'alert_name']
    .map(key => scalarOf(root[key]))
    .find(text => text !== '')
  if (name === undefined) return []
  // A flat alert: its fields serve as labels and as annotations.
  return [
    recordOf([
      ...Object.entries(root),
      ['labels', recordOf([...Object.entries(root), ['alertname', name]])],
      ['annotations', root],
    ]),
  ]
}

function statusOf(root: JsonObject): string {
  return scalarOf(root['status']) || scalarOf(root['state'])
}

function isFiring(alert: JsonObject, rootStatus: string): boolean {
  const status = scalarOf(alert['status'] ?? null).toLowerCase() || rootStatus
  return readState(status)?.kind !== 'good'
}

/** Grafana's own alerts for a rule that it could not evaluate. The label `rulename` has the rule's name. */
const NO_VALUE = /^Datasource(?:NoData|Error)$/

function readAlert(alert: JsonObject, rootStatus: string): Alert {
  const labels = isObject(alert['labels']) ? alert['labels'] : {}
  const annotations = isObject(alert['annotations']) ? alert['annotations'] : {}
  const kind = scalarOf(labels['alertname'])
  const isOfRule = NO_VALUE.test(kind) && scalarOf(labels['rulename']) !== ''
  return {
    firing: isFiring(alert, rootStatus),
    labels: isOfRule
      ? recordOf([...Object.entries(labels), ['alertname', labels['rulename'] ?? null]])
      : labels,
    // The rule's own summary says what would be wrong if the rule had fired.
    annotations: isOfRule ? recordOf([['summary', whyNoValue(kind, annotations)]]) : annotations,
    fingerprint: cleanLine(scalarOf(alert['fingerprint'] ?? null)),
    spanMs: spanBetween(scalarOf(alert['startsAt']), scalarOf(alert['endsAt'])),
  }
}

function whyNoValue(kind: string, annotations: JsonObject): string {
  if (kind === 'DatasourceNoData') return 'no data'
  const error = scalarOf(annotations['Error']).replace(/^\[[\w.]+\] /, '')
  return error === '' ? 'data source error' : `data source error: ${error}`
}
