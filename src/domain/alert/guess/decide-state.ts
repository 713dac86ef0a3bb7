import {
  findEnding,
  findRaw,
  findStates,
  findToldStates,
  type Scopes,
} from '#domain/alert/read/find-fields.ts'
import { cleanLine } from '#domain/alert/text/clean-text.ts'
import { type Headline, stateShown } from '#domain/alert/text/headline.ts'
import {
  ALARMS,
  EVENTS,
  RANKS,
  STATE_ENDING,
  STATES,
  URGENCIES,
} from '#domain/alert/vocabulary/field-names.ts'
import { chooseState, readState, type State } from '#domain/alert/vocabulary/states.ts'

/** States by where they come from: what became of the thing, and how bad it is held to be. */
export interface FieldStates {
  readonly status: readonly State[]
  readonly rank: readonly State[]
}

export function fieldStates(scopes: Scopes): FieldStates {
  // The verdict on what was checked counts, not that the check itself was done.
  const verdict = findStates(scopes, ['qualitygate'])
  if (verdict.length > 0) return { status: verdict, rank: [] }
  const isOver = scopes.some(scope => scope.get('resolved') === true)
  const over = isOver ? readState('resolved') : null
  // What a monitor does when it alerts is no state: "Action: alert".
  const actions = findStates(scopes, ['action']).filter(state => state.word !== 'ALERT')
  const status = [...findStates(scopes, STATES), ...actions]
  const urgent = findStates(scopes, URGENCIES).filter(state => state.kind === 'bad')
  const ranks = findStates(scopes, [...RANKS, 'alarm']).filter(
    state => state.word === 'HIGH' || (state.kind !== 'weak' && state.kind !== 'other'),
  )
  if (![...status, ...ranks].some(state => state.kind === 'bad' || state.kind === 'good')) {
    const ending = readState(findEnding(scopes, STATE_ENDING, text => readState(text) !== null))
    if (ending !== null && status.length + ranks.length === 0 && isTelling(ending)) status.push(ending)
    status.push(...findToldStates(scopes, EVENTS).filter(isTelling))
    const isAlarm = scopes.some(scope => ALARMS.some(name => scope.get(name) === true))
    if (isAlarm) status.push(...[readState('alarm')].filter(state => state !== null))
  }
  return { status: [...(over === null ? [] : [over]), ...status], rank: [...ranks, ...urgent] }
}

function isTelling(state: State): boolean {
  return state.kind !== 'other' && state.kind !== 'quiet'
}

/**
 * The state that a text begins with. A test before all; then fields and what the texts state; then what
 * they tell in words; then what an emoji shows. That it is over, told in words, counts more than a severity.
 */
export function decideState(
  fields: FieldStates,
  headlines: readonly Headline[],
  raw: readonly string[],
): State | null {
  const stated = headlines.flatMap(line => (line.stated && line.state !== null ? [line.state] : []))
  const told = headlines.flatMap(line => (line.state === null ? [] : [line.state]))
  const status = chooseState([...fields.status, ...stated])
  const isOpen = status === null || status.kind === 'weak' || status.kind === 'quiet'
  const test = told.find(state => state.kind === 'test')
  if (test !== undefined && status?.kind !== 'bad') return test
  const over = told.find(state => state.kind === 'good' && state.word !== 'UP')
  if (over !== undefined && isOpen) return over
  const explicit = chooseState([...fields.status, ...stated, ...fields.rank])
  if (explicit !== null && explicit.kind !== 'quiet') return explicit
  const shown = raw.flatMap(text => stateShown(text.split('\n')[0] ?? '') ?? [])
  return chooseState(told) ?? shown[0] ?? explicit
}

/** A severity outside the vocabulary of states, such as High or Average: said after the state. */
export function otherRank(scopes: Scopes): string {
  const rank = cleanLine(findRaw(scopes, RANKS))
  const state = readState(rank)
  const isPlain = /^[\p{L}][\p{L} ]{1,19}$/u.test(rank)
  return isPlain && (state === null || state.word === 'HIGH') ? rank : ''
}

/** An error is one even where no field says so. */
export function errorState(scopes: Scopes): State | null {
  const keys = ['error', 'errormessage', 'exception']
  const hasError = scopes.some(scope =>
    keys.some(key => (scope.get(key) ?? '') !== '' && scope.get(key) !== false),
  )
  return hasError ? readState('error') : null
}
