import { findRaw, type Scopes } from '#domain/alert/read/find-fields.ts'
import { stateInSentence } from '#domain/alert/text/headline.ts'
import { EVENTS } from '#domain/alert/vocabulary/field-names.ts'
import { isNeutral, readState, type State, tokensOf } from '#domain/alert/vocabulary/states.ts'

/** `com.example.` says whose event it is, not which one. */
const DOMAIN = /^(?:com|org|net|io|dev)\.[\w-]+\.(?=\w)/i

/**
 * The words of an event name that contains both this state and a subject: `invoice.payment_failed`,
 * `uptimeCheckFailedNotification`. Empty if the name contains another state, or nothing but a state
 * (`device.down`). Any two bad states count as the same. For the state ALARM, a name without a clear state is
 * used, too.
 */
export function eventPhrase(scopes: Scopes, state: State | null): string {
  if (state === null) return ''
  for (const name of EVENTS) {
    const value = findRaw(scopes, [name])
    if (value.length > 60 || !/^[\w.:/-]+$/.test(value)) continue
    const tokens = tokensOf(value.replace(DOMAIN, ''))
    if (tokens.at(-1) === 'notification') tokens.pop()
    const last = readState(tokens.at(-1) ?? '')
    const about = tokens.filter(token => !isNeutral(token) && readState(token) === null)
    const found = last ?? readState(value) ?? stateInSentence(tokens.join(' '))
    const isSame = found?.word === state.word || (found?.kind === 'bad' && state.kind === 'bad')
    const fits = isSame || (state.word === 'ALARM' && (found === null || found.kind === 'weak'))
    const saysMore = about.length > 0 || found?.word !== state.word
    if (saysMore && tokens.length > 1 && fits) return tokens.join(' ')
  }
  return ''
}
