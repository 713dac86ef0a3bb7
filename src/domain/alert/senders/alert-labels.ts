import type { JsonObject } from '#domain/alert/read/json-value.ts'
import { scalarOf } from '#domain/alert/read/scalar-of.ts'
import { cleanLine, mentions } from '#domain/alert/text/clean-text.ts'
import { chooseState, readState, type State } from '#domain/alert/vocabulary/states.ts'

/** Labels with the name of an alert, and labels that say how bad the alert is. */
export const NAMES = ['alertname', 'rulename', 'alert', 'rule', 'name'] as const
export const SEVERITIES = ['severity', 'priority', 'level'] as const
const SUMMARIES = ['summary', 'message', 'description', 'title'] as const
/** Labels that say where an alert comes from, the most useful first. */
export const PLACES = [
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
/** The places except `namespace` and `job`, which many alerts share. */
const PRECISE_PLACES = PLACES.slice(0, -2)

/** Labels that say which part of a machine an alert is about, the most useful first. */
const PARTS = [
  ...['mountpoint', 'device', 'disk', 'pool', 'array', 'volume', 'filesystem', 'partition', 'path'],
  ...['interface', 'ifname', 'port', 'container', 'name', 'job_name', 'stack', 'sensor', 'queue', 'database'],
]

/** One alert of a group. */
export interface Alert {
  readonly firing: boolean
  readonly labels: JsonObject
  readonly annotations: JsonObject
  /** The sender's own name of it; empty: it gives none. */
  readonly fingerprint: string
  /** From its start to its end; NaN: unknown. */
  readonly spanMs: number
}

/** State words for severities, the worst first. */
const SEVERITY_ORDER = [
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

/** The severity label of the worst of these alerts, as a state. */
export function worstState(alerts: readonly Alert[]): State | null {
  const states = alerts
    .flatMap(alert => readState(pick(alert.labels, SEVERITIES)) ?? [])
    .filter(state => state.kind === 'bad')
  for (const word of SEVERITY_ORDER) {
    const found = states.find(state => state.word === word)
    if (found !== undefined) return found
  }
  return chooseState(states)
}

/** A sort key: the worst alert has the lowest rank. */
export function alertRank(alert: Alert): number {
  const words: readonly string[] = SEVERITY_ORDER
  const rank = words.indexOf(readState(pick(alert.labels, SEVERITIES))?.word ?? '')
  return rank < 0 ? SEVERITY_ORDER.length : rank
}

/** The summary of an alert, from its annotations. The description replaces one that only repeats the name. */
export function alertSummary({ labels, annotations }: Alert): string {
  const summary = pick(annotations, SUMMARIES)
  const bare = summary.replace(/ \(instance [^()]*\)$/, '').replace(/[^a-z0-9]/gi, '')
  const isName = bare.toLowerCase() === pick(labels, NAMES).toLowerCase()
  return (isName && pick(annotations, ['description'])) || summary
}

/** Where an alert comes from, by its labels. */
export function placeOf(alert: Alert): string {
  return pick(alert.labels, isOfPod(alert) ? ['pod', ...PLACES] : PLACES)
}

/** Whether an alert is about a pod. Its `instance` is then the address of the exporter, not of the pod. */
export function isOfPod({ labels, annotations }: Alert): boolean {
  const words = `${pick(labels, NAMES)} ${pick(annotations, SUMMARIES)}`
  return (
    /pod|container|deployment|replica|statefulset|daemonset/i.test(words) && scalarOf(labels['pod']) !== ''
  )
}

/** The place; empty if the text already has it, with or without the port. */
export function placeIfMissing(alert: Alert, text: string): string {
  const place = pick(alert.labels, isOfPod(alert) ? ['pod'] : PRECISE_PLACES)
  return mentions(text, place.replace(/:\d{1,5}$/, '')) ? '' : place
}

/**
 * The disk, container or other part that an alert is about; empty if the text already has it, or for a pod,
 * which is shown as the place.
 */
export function partIfMissing(alert: Alert, text: string): string {
  if (isOfPod(alert)) return ''
  const name = PARTS.find(label => scalarOf(alert.labels[label]) !== '') ?? ''
  // A value without words, such as the mount point `/`, is shown with its name.
  const part = pick(alert.labels, [name]) || `${name} ${scalarOf(alert.labels[name])}`.trim()
  return mentions(text, part) ? '' : part
}

/** Of a longer value the rest is not cleaned, which takes time, because no text shows as much. */
export const LABEL_LENGTH_READ = 1024

/** The first of these fields that is not empty. */
export function pick(fields: JsonObject, names: readonly string[]): string {
  for (const name of names) {
    const text = cleanLine(scalarOf(fields[name]).slice(0, LABEL_LENGTH_READ))
    if (text !== '') return text
  }
  return ''
}
