import type { Roles } from '#domain/alert/guess/assign-roles.ts'
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
  if (found === undefined || found.kind === 'weak') return rank?.kind === 'bad' ? rank : (found ?? null)
  return found
}
