import type { Roles } from '#domain/alert/guess/assign-roles.ts'
import { GOOD } from '#domain/alert/read/evidence-words.ts'
import { cleanLine } from '#domain/alert/text/clean-text.ts'
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
