/** How the owner's choice of fields changes what was read of an alert. */
import { type SettledRoles, withoutIndexes } from '#contracts/alert-reading.ts'
import type { AlertState } from '#contracts/webhook.ts'
import type { Report } from '#domain/alert/compose.ts'
import { fieldAt, tells } from '#domain/alert/describe-reading.ts'
import { shortNumber } from '#domain/alert/guess/measured-condition.ts'
import { nameOf } from '#domain/alert/guess/name-fields.ts'
import { stateOfField } from '#domain/alert/guess/role-state.ts'
import type { ListedField } from '#domain/alert/read/list-fields.ts'
import { cleanLine, linesOf } from '#domain/alert/text/clean-text.ts'
import { alertStateOf, readState, type State } from '#domain/alert/vocabulary/states.ts'

/** The longest value that is told as a word for the state. */
const WORD = /^[\p{L}\p{N} _-]{1,20}$/u
const FLAG = /^(?:true|false)$/i
const NUMBER = /^[+-]?\d+(?:[.,]\d+)?$/

export interface SettledReport {
  readonly report: Report
  /** The state by the values that mean over. Absent: none are settled. */
  readonly state?: AlertState
}

/** The report by what the owner has settled. What is left open stays as it was read. */
export function settleReport(
  { report }: { readonly report: Report | null },
  fields: readonly ListedField[],
  settled: SettledRoles,
): SettledReport | null {
  const found = (path: string | null | undefined): ListedField | undefined => {
    const field = path == null ? undefined : fieldAt(fields, path)
    return field === undefined || field.value.trim() === '' ? undefined : field
  }
  const [thing, state, reason] = [found(settled.thing), found(settled.state), found(settled.reason)]
  if (thing === undefined && state === undefined && reason === undefined) return null
  const base: Report = report ?? { format: 'generic', state: null, subject: '', reason: [] }
  const own = state === undefined ? null : settleState(state, settled.over ?? [], fields)
  const isNewThing = thing !== undefined && !tells(base, 'thing', thing)
  const isNewReason = reason !== undefined && !tells(base, 'reason', reason)
  const lines = isNewReason ? linesOf(tellField(reason)) : [base.reason].flat()
  return {
    report: {
      ...base,
      // What was read of the other thing says nothing about this one.
      ...(isNewThing && { subject: tellField(thing), about: '', thing: '', place: '', extras: [] }),
      reason: [...(own?.lines ?? []), ...lines],
      ...(own === null ? {} : { state: own.state, saysState: false }),
    },
    ...(own?.decided === undefined ? {} : { state: own.decided }),
  }
}

interface SettledState {
  readonly state: State
  /** What the word of the state does not tell. */
  readonly lines: readonly string[]
  readonly decided: AlertState | undefined
}

/** How a field is told that the owner has chosen for the state, and whether its value means over. */
function settleState(
  field: ListedField,
  over: NonNullable<SettledRoles['over']>,
  fields: readonly ListedField[],
): SettledState {
  const value = cleanLine(field.value)
  const isBare = needsName(value)
  const known = isBare ? null : stateOfField(field.value)
  const told = tellField(field)
  const ends = new Set(over.map(one => String(one).trim().toLowerCase()))
  // Of a list, all items must be over.
  const all = fields.filter(({ path }) => withoutIndexes(path) === withoutIndexes(field.path))
  const isOver = over.length > 0 && all.every(one => ends.has(one.value.trim().toLowerCase()))
  const isGood = known !== null && alertStateOf(known) === 'recovered'
  if (isOver)
    return isGood
      ? { state: known, lines: [], decided: 'recovered' }
      : { state: { word: 'OK', kind: 'good', isSure: true }, lines: [told], decided: 'recovered' }
  const decided = over.length > 0 ? 'firing' : undefined
  const word = /^true$/i.test(value) ? told.replace(/ true$/i, '') : told
  if (decided !== undefined && (isGood || readState(word.split(' ')[0] ?? '')?.kind === 'good'))
    return { state: { word: 'ALERT', kind: 'weak' }, lines: [told], decided }
  // A quiet word is not told of other alerts, but the owner has chosen this one.
  const isTold = known !== null && known.kind !== 'quiet' && known.word !== ''
  const isShort = WORD.test(word) || isBare
  const state: State = isTold ? known : { word: isShort ? word.toUpperCase() : '', kind: 'other' }
  return { state, lines: state.word === '' ? [told] : [], decided }
}

/** Whether a value is a flag or a number. */
function needsName(value: string): boolean {
  return FLAG.test(value) || NUMBER.test(value)
}

/** The value of a field. A flag or a number says nothing without its name: `battery 3.2`. */
function tellField(field: ListedField): string {
  const value = cleanLine(field.value)
  if (!needsName(value)) return field.value.includes('\n') ? field.value.trim() : value
  const name = nameOf(field).filter(token => token !== 'value')
  return [...name.slice(-2), NUMBER.test(value) ? shortNumber(value) : value.toLowerCase()].join(' ')
}
