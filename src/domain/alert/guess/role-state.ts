import type { Report } from '#domain/alert/compose.ts'
import type { Roles } from '#domain/alert/guess/assign-roles.ts'
import { isLater, nameOf } from '#domain/alert/guess/name-fields.ts'
import { GOOD } from '#domain/alert/read/evidence-words.ts'
import type { ListedField } from '#domain/alert/read/list-fields.ts'
import { cleanLine, mentions } from '#domain/alert/text/clean-text.ts'
import { readFieldState, readState, type State, tokensOf } from '#domain/alert/vocabulary/states.ts'

/** The state of a field. The name of an event says it last: `invoice.payment_failed`. */
export function stateOfField(value: string): State | null {
  const text = cleanLine(value)
  return (
    readFieldState(text) ?? (/^[\w.:-]{1,60}$/.test(text) ? readState(tokensOf(text).at(-1) ?? '') : null)
  )
}

/** The state that the fields give, or their severity if the state says little. */
export function stateOfRoles({ state, severity }: Roles): State | null {
  const states = state.flatMap(({ field }) => stateOfField(field.value) ?? [])
  const rank = severity[0] === undefined ? null : readState(severity[0].field.value)
  const [found] = states
  if (found === undefined || found.kind === 'weak') {
    const bad = states.find(({ kind }) => kind === 'bad')
    return bad ?? (rank?.kind === 'bad' ? rank : (found ?? null))
  }
  return found
}

/** The state of a flag: `is_ok: 0`, `isOnline: false`. Null: it is none. */
export function stateOfFlag(name: string, value: string): State | null {
  const own =
    /^(?:success|succeeded|ok|passed)$/i.test(name) && /^false$/i.test(value) ? name.toLowerCase() : ''
  const good = own || (/^is[_ -]?([a-z]{2,12})$/.exec(name.toLowerCase())?.[1] ?? '')
  const bad = GOOD.get(good)
  if (bad === undefined || !/^(?:true|false|[01])$/i.test(value)) return null
  return readState(/^(?:true|1)$/i.test(value) ? good : bad)
}

const STATE_NAME = /^(?:(?:current|new|alarm|alert|device|site)? ?)(?:state|status)(?: name| text)?$/
/** A state in words that Roost does not know: `OUT_OF_ORDER`, `Störung`. */
const STATE_WORDS = /^\p{L}{3,16}(?:[ _-]\p{L}{2,12}){0,2}$/u
/** Words that say how far something has come, or nothing. */
const NO_STATE = new RegExp(
  '^(?:completed?|finished|done|running|sent|delivered|ready|live|enabled|disabled|active|success\\w*' +
    '|normal|true|false|yes|on|off|null|default|published|processed|accepted|processing|queued)$',
  'i',
)
/** States after which a severity is only that of the problem that was. */
const ENDED = /^(?:reset|ended|normal)$/i

/** Shows the sender's own word for a state, if the report has none and the text does not say it. */
export function withOwnState(report: Report | null, fields: readonly ListedField[]): Report | null {
  if (report === null) return null
  const { state, saysState = false, subject, reason } = report
  const found = fields.find(
    field =>
      STATE_NAME.test(nameOf(field).join(' ')) &&
      STATE_WORDS.test(field.value) &&
      !isLater(field) &&
      readState(field.value) === null &&
      !NO_STATE.test(field.value),
  )
  if (found === undefined || saysState || (state !== null && !ENDED.test(found.value))) return report
  const word = cleanLine(found.value.replace(/[_-]/g, ' ')).toUpperCase()
  // The text says it, so that no severity is put before it.
  if (mentions([subject, ...[reason].flat()].join(' '), word)) return { ...report, state: null }
  return { ...report, state: { word, kind: 'other' } }
}
