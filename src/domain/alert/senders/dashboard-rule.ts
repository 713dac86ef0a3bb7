import type { Report } from '#domain/alert/compose-report.ts'
import { scalarOf } from '#domain/alert/guess/find-fields.ts'
import { shortNumber } from '#domain/alert/guess/measured-condition.ts'
import { isObject, type Json, type JsonObject, objectsOf } from '#domain/alert/read/json-value.ts'
import { cleanLine, linesOf } from '#domain/alert/text/clean-text.ts'
import { readHeadline, stateTold } from '#domain/alert/text/headline.ts'
import { readState } from '#domain/alert/vocabulary/states.ts'

const MATCHES_SHOWN = 3

const RULE_STATES = /^(?:alerting|ok|no_?data|pending|paused)$/i

/**
 * An alert of a dashboard's rule (Grafana before unified alerting): `ruleName` with `evalMatches`, `ruleId`
 * or `ruleUrl`; the state from `state`, else from the title; the reason from `message`; the values that
 * matched. Also without these, when `state` is one of a rule's and the title has it in brackets.
 */
export function describeDashboard(value: Json): Report | null {
  if (!isObject(value) || !isRuleAlert(value)) return null
  const title = readHeadline(cleanLine(scalarOf(value['title'])))
  const what = cleanLine(scalarOf(value['ruleName'])) || title.text
  const lines = linesOf(scalarOf(value['message']))
  const state = readState(scalarOf(value['state'])) ?? title.state
  if (what === '' || state === null) return null
  const isTest = [what, ...lines].some(text => stateTold(text)?.kind === 'test')
  const values = objectsOf(value['evalMatches'])
    .slice(0, MATCHES_SHOWN)
    .map(match => cleanLine(`${scalarOf(match['metric'])}=${shortNumber(scalarOf(match['value']))}`))
    .filter(text => /^.+=.+$/.test(text))
  if (isTest) return { state: readState('test'), what, summary: lines }
  // The message belongs to the rule and says what was wrong; once it is over, it is not.
  if (state.kind === 'good') return { state, what, summary: '' }
  return { state, what, summary: lines, detail: [values.join(', ')] }
}

function isRuleAlert(value: JsonObject): boolean {
  if (['evalMatches', 'ruleId', 'ruleUrl', 'ruleName'].some(key => Object.hasOwn(value, key))) return true
  return RULE_STATES.test(scalarOf(value['state'])) && scalarOf(value['title']).startsWith('[')
}
