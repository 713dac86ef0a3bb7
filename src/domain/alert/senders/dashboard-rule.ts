import type { Body } from '#domain/alert/body.ts'
import { shortNumber } from '#domain/alert/guess/measured-condition.ts'
import { scalarOf } from '#domain/alert/read/scalar-of.ts'
import type { Sender } from '#domain/alert/sender.ts'
import { cleanLine } from '#domain/alert/text/clean-text.ts'
import { stateInSentence } from '#domain/alert/text/headline.ts'
import { readState, type State } from '#domain/alert/vocabulary/states.ts'

const MATCHES_SHOWN = 3
const RULE_STATES = /^(?:alerting|ok|no_?data|pending|paused)$/i

/**
 * An alert rule of a dashboard (Grafana before unified alerting), known by `ruleName`, `evalMatches`,
 * `ruleId` or `ruleUrl`. Also a body without these that has the `state` of a rule and a title that begins
 * with `[`.
 */
export const dashboardRule: Sender = {
  format: 'dashboard',
  matches: body => isRule(body) && nameOf(body) !== '' && stateOf(body) !== null,
  state: [body => (isTest(body) ? readState('test') : null), stateOf],
  subject: [nameOf],
  // The message is the rule's fixed text about the problem, so it is left out once the problem is over.
  reason: [body => (isOver(body) ? [] : body.lines('message'))],
  extras: [body => (isOver(body) || isTest(body) ? '' : valuesOf(body))],
}

function isRule(body: Body): boolean {
  if (body.has('evalMatches', 'ruleId', 'ruleUrl', 'ruleName')) return true
  return RULE_STATES.test(body.raw('state')) && body.raw('title').startsWith('[')
}

function nameOf(body: Body): string {
  return body.line('ruleName') || body.headline('title').text
}

function stateOf(body: Body): State | null {
  return readState(body.raw('state')) ?? body.headline('title').state
}

function isTest(body: Body): boolean {
  return [nameOf(body), ...body.lines('message')].some(text => stateInSentence(text)?.kind === 'test')
}

function isOver(body: Body): boolean {
  return stateOf(body)?.kind === 'good' && !isTest(body)
}

/** `cpu=97.1, load=12` */
function valuesOf(body: Body): string {
  return body
    .objects('evalMatches')
    .slice(0, MATCHES_SHOWN)
    .map(match => cleanLine(`${scalarOf(match['metric'])}=${shortNumber(scalarOf(match['value']))}`))
    .filter(text => /^.+=.+$/.test(text))
    .join(', ')
}
