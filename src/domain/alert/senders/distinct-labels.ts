import { scalarOf } from '#domain/alert/read/scalar-of.ts'
import {
  type Alert,
  alertSummary,
  isOfPod,
  NAMES,
  PLACES,
  pick,
  placeOf,
  SEVERITIES,
} from '#domain/alert/senders/alert-labels.ts'
import { mentions } from '#domain/alert/text/clean-text.ts'
import { joinedLine } from '#domain/alert/text/cut-text.ts'

/** How many of `PLACES`, counted from the first, name a machine. */
const MACHINES = 6

/** Labels that do not say where: names, severities, and internal ones of the monitor. */
const NOT_PLACES: ReadonlySet<string> = new Set([
  ...NAMES,
  ...SEVERITIES,
  'fingerprint',
  'prometheus',
  'replica',
])

const VALUE_LENGTH_MAX = 80

/** How many labels other than `PLACES` are tried to tell alerts apart. */
const LABELS_READ_MAX = 16

/**
 * A short label for each alert, made of the values in which the alerts differ. The name of an alert is
 * added if the alerts have several names, once for all consecutive alerts with that name.
 */
export function distinctLabels(alerts: readonly Alert[], groupName: string): readonly string[] {
  const keys = distinguishingLabels(alerts)
  let last = ''
  const labels = alerts.map(alert => {
    const values = keys.map(key => labelValue(alert, key)).filter(value => value !== '')
    const place = values.length > 0 ? values.join(' ') : placeOf(alert)
    const name = pick(alert.labels, NAMES)
    const isMentioned = mentions(groupName, name) || (name === last && place !== '')
    last = name
    return [isMentioned ? '' : name, place].filter(part => part !== '').join(' ') || alertSummary(alert)
  })
  return [...new Set(labels)].filter(label => label !== '')
}

/** The labels needed to tell all alerts of a list apart, the most useful first. */
function distinguishingLabels(alerts: readonly Alert[]): readonly string[] {
  const others = Object.keys(alerts[0]?.labels ?? {})
    .filter(key => !NOT_PLACES.has(key))
    .slice(0, LABELS_READ_MAX)
  const pods = alerts.every(isOfPod) ? ['pod'] : []
  const chosen: string[] = []
  /** How many alerts the chosen labels tell apart. */
  let toldApart = 1
  for (const key of new Set([...pods, ...PLACES, ...others])) {
    const combinations = new Set(alerts.map(alert => valuesOf(alert, [...chosen, key]).join('\0')))
    if (combinations.size <= toldApart) continue
    chosen.push(key)
    toldApart = combinations.size
    if (toldApart === alerts.length) break
  }
  return chosen
}

function valuesOf({ labels }: Alert, keys: readonly string[]): readonly string[] {
  return keys.map(key => scalarOf(labels[key]))
}

/** The value of a label. It may have no letter or digit: the mount point `/`. */
function labelValue(alert: Alert, key: string): string {
  return pick(alert.labels, [key]) || joinedLine(scalarOf(alert.labels[key]).slice(0, VALUE_LENGTH_MAX))
}

/** The machine that all alerts of a list share; empty if there are several. */
export function commonPlace(alerts: readonly Alert[]): string {
  const key = PLACES.slice(0, MACHINES).find(name => alerts.some(alert => pick(alert.labels, [name]) !== ''))
  if (key === undefined || alerts.length < 2) return ''
  const [first = '', ...more] = new Set(alerts.map(alert => pick(alert.labels, [key])))
  return more.length === 0 ? first : ''
}
