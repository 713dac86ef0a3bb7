import type { JsonObject } from '#domain/alert/read/json-value.ts'
import { scalarOf } from '#domain/alert/read/scalar-of.ts'
import { cleanLine, says } from '#domain/alert/text/clean-text.ts'
import { oneLine } from '#domain/alert/text/cut-text.ts'
import { chooseState, readState, type State } from '#domain/alert/vocabulary/states.ts'

/** What labels call an alert, and how bad it is. */
export const NAMES = ['alertname', 'rulename', 'alert', 'rule', 'name'] as const
const SEVERITIES = ['severity', 'priority', 'level'] as const
const SUMMARIES = ['summary', 'message', 'description', 'title'] as const
/** Labels that tell one alert of a group from the next, the most telling first. */
const PLACES = [
  'instance',
  'host',
  'hostname',
  'node',
  'nodename',
  'mountpoint',
  'device',
  'pod',
  'container',
  'service',
  'target',
  'sensor',
  'room',
  'location',
  'namespace',
  'job',
] as const

/** The first of `PLACES` name a machine. */
const MACHINES = 6
/** Labels that name or rank an alert, or belong to the monitor's own bookkeeping. */
const NOT_PLACES: ReadonlySet<string> = new Set([
  ...NAMES,
  ...SEVERITIES,
  'fingerprint',
  'prometheus',
  'replica',
])

const VALUE_LENGTH_MAX = 80
/** Labels of an alert that may set it apart, beside the usual ones. */
const LABELS_READ_MAX = 16

/** One alert of a group. */
export interface Alert {
  readonly firing: boolean
  readonly labels: JsonObject
  readonly annotations: JsonObject
  readonly spanMs: number
}

const ORDER = [
  'DISASTER',
  'EMERGENCY',
  'PANIC',
  'FATAL',
  'CRITICAL',
  'P0',
  'P1',
  'SEV0',
  'SEV1',
  'ERROR',
  'MAJOR',
  'WARN',
] as const

/** The worst that the labels of some alerts call them. */
export function worstRank(alerts: readonly Alert[]): State | null {
  const ranks = alerts
    .flatMap(alert => readState(pick(alert.labels, SEVERITIES)) ?? [])
    .filter(state => state.kind === 'bad')
  return ORDER.flatMap(word => ranks.find(state => state.word === word) ?? [])[0] ?? chooseState(ranks)
}

/** Where an alert stands among others: the worst first. */
export function rankOf(alert: Alert): number {
  const words: readonly string[] = ORDER
  const rank = words.indexOf(readState(pick(alert.labels, SEVERITIES))?.word ?? '')
  return rank < 0 ? ORDER.length : rank
}

/** What an alert says of itself, in its annotations. */
export function summaryOf(alert: Alert): string {
  return pick(alert.annotations, SUMMARIES)
}

/** The label that tells where. */
export function placeOf(alert: Alert): string {
  return pick(alert.labels, isOfPod(alert) ? ['pod', ...PLACES] : PLACES)
}

/** Where an exporter watches pods, the instance is the exporter's own address. */
function isOfPod({ labels, annotations }: Alert): boolean {
  const words = `${pick(labels, NAMES)} ${pick(annotations, SUMMARIES)}`
  return (
    /pod|container|deployment|replica|statefulset|daemonset/i.test(words) && scalarOf(labels['pod']) !== ''
  )
}

/** The place, unless the text says it already, with or without its port. */
export function placeUnsaid(alert: Alert, text: string): string {
  const place = pick(alert.labels, isOfPod(alert) ? ['pod'] : PLACES.slice(0, -2))
  return says(text, place.replace(/:\d{1,5}$/, '')) ? '' : place
}

/**
 * What sets each alert apart from the others, by the labels that differ; with its name where they have
 * several. A name is said once for the alerts that follow one another under it.
 */
export function distinctLabels(alerts: readonly Alert[], groupName: string): readonly string[] {
  const keys = labelsApart(alerts)
  let last = ''
  const labels = alerts.map(alert => {
    const values = keys.map(key => labelValue(alert, key)).filter(value => value !== '')
    const place = values.length > 0 ? values.join(' ') : placeOf(alert)
    const name = pick(alert.labels, NAMES)
    const isSaid = says(groupName, name) || (name === last && place !== '')
    last = name
    return [isSaid ? '' : name, place].filter(part => part !== '').join(' ') || summaryOf(alert)
  })
  return [...new Set(labels)].filter(label => label !== '')
}

/** As few labels as tell all alerts of a list apart, the most telling first. */
function labelsApart(alerts: readonly Alert[]): readonly string[] {
  const others = Object.keys(alerts[0]?.labels ?? {})
    .filter(key => !NOT_PLACES.has(key))
    .slice(0, LABELS_READ_MAX)
  const pods = alerts.every(isOfPod) ? ['pod'] : []
  const chosen: string[] = []
  let told = 1
  for (const key of new Set([...pods, ...PLACES, ...others])) {
    const kinds = new Set(
      alerts.map(alert => [...chosen, key].map(name => scalarOf(alert.labels[name])).join('\0')),
    )
    if (kinds.size > told) chosen.push(key)
    told = Math.max(told, kinds.size)
    if (told === alerts.length) break
  }
  return chosen
}

/** A value may be all signs: the mount point `/`. */
function labelValue(alert: Alert, key: string): string {
  return pick(alert.labels, [key]) || oneLine(scalarOf(alert.labels[key]).slice(0, VALUE_LENGTH_MAX))
}

/** Where all alerts of a list are, if it is one place. */
export function commonPlace(alerts: readonly Alert[]): string {
  const [key] = PLACES.slice(0, MACHINES).filter(name =>
    alerts.some(alert => pick(alert.labels, [name]) !== ''),
  )
  const places = new Set(alerts.map(alert => (key === undefined ? '' : pick(alert.labels, [key]))))
  return alerts.length > 1 && places.size === 1 ? [...places].join('') : ''
}

/** The first of these fields that says something. */
export function pick(fields: JsonObject, names: readonly string[]): string {
  for (const name of names) {
    const text = cleanLine(scalarOf(fields[name]))
    if (text !== '') return text
  }
  return ''
}
