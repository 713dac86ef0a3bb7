import type { Body } from '#domain/alert/body.ts'
import type { Sender } from '#domain/alert/sender.ts'
import { readState, type State } from '#domain/alert/vocabulary/states.ts'

/** authentik's highest severity. In the shared vocabulary, ALERT does not say how bad it is. */
const ALERT: State = { word: 'ALERT', kind: 'bad' }

/** An event's name, and its facts as Python prints a dictionary: `login_failed: {'username': 'anna'}`. */
const EVENT = /^([a-z]+(?:_[a-z]+)*): (\{'[\s\S]*)?/

/** authentik's generic webhook: `user_email` and `user_username` name the person who is notified. */
export const authentik: Sender = {
  format: 'generic',
  matches: body => ['body', 'severity', 'user_email', 'user_username'].every(path => body.has(path)),
  state: [
    body => (/^Test Notification\b/.test(body.raw('body')) ? readState('test') : null),
    body => (body.raw('severity') === 'alert' ? ALERT : null),
    'severity',
  ],
  subject: [() => 'authentik'],
  reason: [body => reasonOf(body)],
}

function reasonOf(body: Body): string {
  const [matched = '', action = '', facts = ''] = EVENT.exec(body.raw('body')) ?? []
  const event = action.replaceAll('_', ' ')
  const rest = facts === '' ? body.raw('body').slice(matched.length) : nameIn(facts)
  return [event, rest].filter(part => part !== '').join(': ')
}

/** The user or the thing that an event is about. */
function nameIn(facts: string): string {
  return /'username': '([^']+)'/.exec(facts)?.[1] ?? /'name': '([^']+)'/.exec(facts)?.[1] ?? ''
}
