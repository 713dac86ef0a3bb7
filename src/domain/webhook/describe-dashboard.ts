import { cleanLine, linesOf } from '#domain/webhook/clean-text.ts'
import type { Report } from '#domain/webhook/compose-report.ts'
import { scalarOf } from '#domain/webhook/find-fields.ts'
import { readHeadline, stateTold } from '#domain/webhook/headline.ts'
import { isObject, type Json, objectsOf } from '#domain/webhook/json-value.ts'
import { readState } from '#domain/webhook/state-words.ts'

const MATCHES_SHOWN = 3

/**
 * An alert of a dashboard's rule (Grafana before unified alerting): `ruleName` with `evalMatches`, `ruleId` or
 * `ruleUrl`; the state from `state`, else from the title; the reason from `message`; the values that matched.
 */
export function describeDashboard(value: Json): Report | null {
  if (!isObject(value) || !['evalMatches', 'ruleId', 'ruleUrl'].some(key => Object.hasOwn(value, key)))
    return null
  const title = readHeadline(cleanLine(scalarOf(value['title'])))
  const what = cleanLine(scalarOf(value['ruleName'])) || title.text
  const lines = linesOf(scalarOf(value['message']))
  const state = readState(scalarOf(value['state'])) ?? title.state
  if (what === '' || state === null) return null
  const isTest = [what, ...lines].some(text => stateTold(text)?.kind === 'test')
  const values = objectsOf(value['evalMatches'])
    .slice(0, MATCHES_SHOWN)
    .map(match => cleanLine(`${scalarOf(match['metric'])}=${scalarOf(match['value'])}`))
    .filter(text => /^.+=.+$/.test(text))
  return { state: isTest ? 'TEST' : state.word, what, summary: lines, detail: [values.join(', ')] }
}
