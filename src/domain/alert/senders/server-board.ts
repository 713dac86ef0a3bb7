import type { Body } from '#domain/alert/body.ts'
import { scalarOf } from '#domain/alert/read/scalar-of.ts'
import type { Sender } from '#domain/alert/sender.ts'
import { cleanLine } from '#domain/alert/text/clean-text.ts'
import { readState } from '#domain/alert/vocabulary/states.ts'

/** The controller of a server's main board (Redfish): a list of events, usually one. */
export const redfish: Sender = {
  format: 'generic',
  matches: body => field(body, 'MessageId') !== '' && field(body, 'Message') !== '',
  state: [body => readState(field(body, 'Severity') || field(body, 'MessageSeverity'))],
  subject: [
    // Senders that were given no context send a placeholder, or a text about the subscription.
    body => (/^[\w.-]{2,40}$/.test(body.raw('Context')) ? body.line('Context') : ''),
  ],
  reason: [body => field(body, 'Message'), body => field(body, 'MessageId')],
}

/** A field of the first event. */
function field(body: Body, name: string): string {
  const [event] = body.objects('Events')
  return event === undefined ? '' : cleanLine(scalarOf(event[name]))
}
