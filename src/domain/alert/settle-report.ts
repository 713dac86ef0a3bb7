/** How the owner's choice of fields changes what was read of an alert. */
import type { SettledRoles } from '#contracts/alert-reading.ts'
import type { AlertState } from '#contracts/webhook.ts'
import type { Report } from '#domain/alert/compose.ts'
import { fieldAt, tells } from '#domain/alert/describe-reading.ts'
import { shortNumber } from '#domain/alert/guess/measured-condition.ts'
import { nameOf } from '#domain/alert/guess/name-fields.ts'
import { stateOfField } from '#domain/alert/guess/role-state.ts'
import type { ListedField } from '#domain/alert/read/list-fields.ts'
import { cleanLine, linesOf } from '#domain/alert/text/clean-text.ts'
import { alertStateOf, type State } from '#domain/alert/vocabulary/states.ts'

/** The longest value that is told as a word for the state. */
const WORD = /^[\p{L}\p{N} _-]{1,20}$/u
const FLAG = /^(?:true|false)$/i
const NUMBER = /^[+-]?\d+(?:[.,]\d+)?$/

export interface SettledReport {
  readonly report: Report
  /** The state that the settled field alone decides. Absent: no field for the state is settled. */
  readonly state?: AlertState | null
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
  const own = state === undefined ? null : settleState(state, settled.over ?? [])
  const isNewThing = thing !== undefined && !tells(base, 'thing', thing)
  const isNewReason = reason !== undefined && !tells(base, 'reason', reason)
  const { about: _, thing: __, place: ___, extras: ____, ...rest } = base
  const lines = isNewReason ? linesOf(tellField(reason)) : [base.reason].flat()
  return {
    report: {
      ...(isNewThing ? { ...rest, subject: tellField(thing) } : base),
      // The thing that was read before may be what Roost took for the reason.
      reason: [...(own?.lines ?? []), ...lines],
      ...(own === null ? {} : { state: own.state, saysState: false }),
    },
    ...(own === null ? {} : { state: own.isOver }),
  }
}

interface SettledState {
  readonly state: State
  /** What the word of the state does not tell. */
  readonly lines: readonly string[]
  readonly isOver: AlertState | null
}

/** How a field is told that the owner has chosen for the state, and whether it says that all is over. */
function settleState(field: ListedField, over: NonNullable<SettledRoles['over']>): SettledState {
  const value = cleanLine(field.value)
  const isBare = FLAG.test(value) || NUMBER.test(value)
  const known = isBare ? null : stateOfField(field.value)
  const told = tellField(field)
  const isOver = over.some(one => String(one).toLowerCase() === field.value.trim().toLowerCase())
  const isGood = known !== null && alertStateOf(known) === 'recovered'
  if (isOver)
    return isGood
      ? { state: known, lines: [], isOver: 'recovered' }
      : { state: { word: 'OK', kind: 'good', isSure: true }, lines: [told], isOver: 'recovered' }
  const decided = over.length > 0 ? 'firing' : undefined
  if (isGood && decided !== undefined)
    return { state: { word: 'ALERT', kind: 'weak' }, lines: [told], isOver: decided }
  const word = /^true$/i.test(value) ? told.replace(/ true$/i, '') : told
  // A quiet word is not told of other alerts, but the owner has chosen this one.
  const isTold = known !== null && known.kind !== 'quiet' && known.word !== ''
  const state: State = isTold
    ? known
    : { word: WORD.test(word) || isBare ? word.toUpperCase() : '', kind: 'other' }
  return { state, lines: state.word === '' ? [told] : [], isOver: decided ?? (known && alertStateOf(known)) }
}

/** The value of a field. A flag or a number says nothing without its name: `battery 3.2`. */
function tellField(field: ListedField): string {
  const value = cleanLine(field.value)
  const isBare = FLAG.test(value) || NUMBER.test(value)
  if (!isBare) return field.value.includes('\n') ? field.value.trim() : value
  const name = nameOf(field).filter(token => token !== 'value')
  return [...name.slice(-2), NUMBER.test(value) ? shortNumber(value) : value.toLowerCase()].join(' ')
}
