import { stateOfFlag } from '#domain/alert/guess/role-state.ts'
import { findExit } from '#domain/alert/read/find-exit.ts'
import {
  findEnding,
  findEventStates,
  findRaw,
  findStates,
  type Scopes,
} from '#domain/alert/read/find-fields.ts'
import { cleanLine } from '#domain/alert/text/clean-text.ts'
import { type Headline, stateOfEmoji } from '#domain/alert/text/headline.ts'
import {
  ALARMS,
  EVENTS,
  RANK_ENDING,
  RANKS,
  STATE_ENDING,
  STATE_FIELDS,
  TEXTS,
  TITLES,
  URGENCIES,
} from '#domain/alert/vocabulary/field-names.ts'
import { chooseState, OVER, readState, type State } from '#domain/alert/vocabulary/states.ts'

/** States by where they come from: `status` is what happened, `rank` is how bad the sender says it is. */
export interface FieldStates {
  readonly status: readonly State[]
  readonly rank: readonly State[]
}

/** Reads the states of a body from its fields: first from state fields, or else from names of events. */
export function fieldStates(scopes: Scopes): FieldStates {
  // SonarQube: the result of the quality gate counts, not that the analysis itself succeeded.
  const verdict = findStates(scopes, ['qualitygate'])
  if (verdict.length > 0) return { status: verdict, rank: [] }
  const isResolved = scopes.some(scope => scope.get('resolved') === true)
  const resolved = isResolved ? readState('resolved') : null
  // "Action: alert" and "action: deny" say what a monitor or a firewall does; they are no states.
  const actions = findStates(scopes, ['action']).filter(({ word }) => word !== 'ALERT' && word !== 'DENIED')
  const status = [...findStates(scopes, STATE_FIELDS), ...actions]
  if (!status.some(isClear)) {
    // Beside a severity, a field such as "Issue status" tells only the end of a problem.
    const end = readState(findEnding(scopes, STATE_ENDING, text => OVER.has(readState(text)?.word ?? '')))
    if (end !== null) status.push(end)
  }
  const urgent = findStates(scopes, URGENCIES).filter(state => state.kind === 'bad')
  const named = findStates(scopes, [...RANKS, 'alarm'])
  const other = readState(findEnding(scopes, RANK_ENDING, text => readState(text) !== null))
  const ranks = (named.length === 0 && other !== null ? [other] : named).filter(
    state => state.word === 'HIGH' || (state.kind !== 'weak' && state.kind !== 'other'),
  )
  // If no state is clearly good or bad: try field names with a known ending, events and flags.
  if (![...status, ...ranks].some(isClear)) {
    const ending = readState(findEnding(scopes, STATE_ENDING, text => readState(text) !== null))
    if (ending !== null && status.length + ranks.length === 0 && isShownState(ending)) status.push(ending)
    status.push(...findEventStates(scopes, EVENTS).filter(isShownState))
    const isAlarm = scopes.some(scope => ALARMS.some(name => scope.get(name) === true))
    const flag = status.length + ranks.length === 0 ? flagState(scopes) : null
    if (flag !== null) status.push(flag)
    if (isAlarm) status.push(...[readState('alarm')].filter(state => state !== null))
  }
  return { status: [...(resolved === null ? [] : [resolved]), ...status], rank: [...ranks, ...urgent] }
}

function isClear({ kind }: State): boolean {
  return kind === 'bad' || kind === 'good'
}

function isShownState(state: State): boolean {
  return (state.kind !== 'other' && state.kind !== 'quiet') || state.word === 'INACTIVE'
}

/** The state of a flag such as `is_ok: 0`. A good one counts only if nothing else tells of an event. */
function flagState(scopes: Scopes): State | null {
  const isAll = findRaw(scopes, [...TITLES, ...TEXTS, 'event', 'eventtype']) === ''
  const flags = scopes
    .flatMap(scope => [...scope])
    .flatMap(([key, value]) => (typeof value === 'object' ? null : stateOfFlag(key, String(value))) ?? [])
  return flags.find(({ kind }) => isAll || kind === 'bad') ?? null
}

/**
 * The state that a text begins with. A test comes first, then fields and states in front of a text
 * (`[DOWN] nas`), then states within a sentence ("nas is down"), then emoji. A sentence that reports a
 * recovery counts more than a severity in a field.
 */
export function decideState(
  fields: FieldStates,
  headlines: readonly Headline[],
  raw: readonly string[],
): State | null {
  const stated = headlines.flatMap(line => (line.stated && line.state !== null ? [line.state] : []))
  const all = headlines.flatMap(line => (line.state === null ? [] : [line.state]))
  const status = chooseState([...fields.status, ...stated])
  const isUndecided = status === null || status.kind === 'weak' || status.kind === 'quiet'
  const test = all.find(state => state.kind === 'test')
  if (test !== undefined && status?.kind !== 'bad') return test
  const recovered = all.find(state => state.kind === 'good' && state.word !== 'UP')
  if (recovered !== undefined && isUndecided) return recovered
  const explicit = chooseState([...fields.status, ...stated, ...fields.rank])
  if (explicit !== null && explicit.kind !== 'quiet') return explicit
  const ofEmoji = raw.flatMap(text => stateOfEmoji(text.split('\n')[0] ?? '') ?? [])
  return chooseState(all) ?? ofEmoji[0] ?? explicit
}

/** The sender's severity, if it is not a clear state: High, Average. It is shown after the state. */
export function otherRank(scopes: Scopes): string {
  const rank = cleanLine(findRaw(scopes, RANKS))
  const state = readState(rank)
  const isPlain = /^[\p{L}][\p{L} ]{1,19}$/u.test(rank)
  return isPlain && (state === null || state.word === 'HIGH') ? rank : ''
}

/** A body with an error field, or with an exit status other than 0, is bad, even if no field has a state. */
export function errorState(scopes: Scopes): State | null {
  const keys = ['error', 'errormessage', 'exception']
  const hasError = scopes.some(scope =>
    keys.some(key => (scope.get(key) ?? '') !== '' && scope.get(key) !== false),
  )
  if (hasError) return readState('error')
  return findExit(scopes) === '' ? null : readState('failed')
}
