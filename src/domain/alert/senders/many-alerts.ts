import { scalarOf } from '#domain/alert/read/scalar-of.ts'
import {
  type Alert,
  alertRank,
  alertSummary,
  NAMES,
  pick,
  placeIfMissing,
  worstState,
} from '#domain/alert/senders/alert-labels.ts'
import { distinctLabels } from '#domain/alert/senders/distinct-labels.ts'
import { type AlertGroup, sharedName } from '#domain/alert/senders/read-alert-group.ts'
import { isShort } from '#domain/alert/text/cut-text.ts'
import { stateInSentence } from '#domain/alert/text/headline.ts'
import { readState, type State } from '#domain/alert/vocabulary/states.ts'

/** The alerts that the text is about, the worst first: those that fire, or all if none does. */
export function shownOf(group: AlertGroup): readonly Alert[] {
  const shown = group.alerts.filter(alert => alert.firing === group.firing > 0)
  return shown.sort((one, other) => alertRank(one) - alertRank(other))
}

/** The state of the group: a test, resolved, or the worst state of the alerts that fire. */
export function groupState(group: AlertGroup): State | null {
  const [only] = group.alerts
  const words =
    only === undefined || group.alerts.length > 1 ? [] : [alertSummary(only), pick(only.labels, NAMES)]
  if (words.some(text => stateInSentence(text)?.kind === 'test')) return readState('test')
  if (group.firing === 0) return group.hidden > 0 ? null : readState('resolved')
  const own = readState(scalarOf(group.root['status']))
  return worstState(shownOf(group)) ?? (own?.kind === 'bad' ? own : readState('firing'))
}

/** `2 firing. web-1 disk full; web-2 load 12`, or `3 firing: web-1, web-2, web-3` for more. */
export function reasonOfMany(group: AlertGroup): string {
  const { firing, resolved, hidden } = group
  const name = sharedName(group)
  const isMixed = firing > 0 && resolved > 0
  // Alerts that the sender left out may still fire. Beside those that fire, they are counted with them.
  const total = firing > 0 ? firing + (isMixed ? 0 : hidden) : resolved
  const left = hidden > 0 ? `${hidden} not shown` : ''
  const counts =
    firing > 0 && !isMixed
      ? [`${total} firing`]
      : [firing > 0 ? `${firing} firing` : '', `${resolved} resolved`, left]
  const head = `${counts.filter(text => text !== '').join(', ')}${name === '' ? ':' : '.'}`
  const prefix = `${groupState(group)?.word ?? ''} ${name}: ${head} `
  const shown = shownOf(group)
  const reasons = [...new Set(shown.map(alert => reasonWithPlace(alert, name)))].filter(text => text !== '')
  const asReasons = reasons.join('; ')
  // The summary of an alert that is over still has the value from when it fired.
  const isWhole = firing > 0 && shown.length === total && reasons.length === total
  if (total <= 2 && isWhole && isShort(prefix + asReasons)) return `${head} ${asReasons}`
  return `${head} ${listLabels(distinctLabels(shown, name), total, prefix)}`
}

/** Why rules have no value, if that is so for all alerts of a group with several. */
export function sharedLackOfData(group: AlertGroup): string {
  const [reason = '', ...others] = new Set(shownOf(group).map(alertSummary))
  return others.length === 0 && /^(?:no data|data source error)\b/.test(reason) ? reason : ''
}

/** The summary of an alert, after its place if the summary does not name the place. */
function reasonWithPlace(alert: Alert, groupName: string): string {
  const summary = alertSummary(alert)
  const place = summary === '' ? '' : placeIfMissing(alert, `${groupName} ${summary}`)
  return place === '' ? summary : `${place} ${summary}`
}

/** `a, b, c +4 more`: as many labels as fit one segment, at least one. */
function listLabels(labels: readonly string[], total: number, prefix: string): string {
  const more = (kept: number): string => (total > kept ? ` +${total - kept} more` : '')
  let kept = Math.min(labels.length, total)
  while (kept > 1 && !isShort(prefix + labels.slice(0, kept).join(', ') + more(kept))) kept -= 1
  return kept === 0 ? '' : labels.slice(0, kept).join(', ') + more(kept)
}
