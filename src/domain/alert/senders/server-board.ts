import type { Body } from '#domain/alert/body.ts'
import type { JsonObject } from '#domain/alert/read/json-value.ts'
import { scalarOf } from '#domain/alert/read/scalar-of.ts'
import type { Sender } from '#domain/alert/sender.ts'
import { cleanLine } from '#domain/alert/text/clean-text.ts'
import { readState } from '#domain/alert/vocabulary/states.ts'

/** The controller of a server's main board (Redfish): a list of events, usually one. */
export const redfish: Sender = {
  format: 'generic',
  matches: body => field(body, 'MessageId') !== '' && field(body, 'Message') !== '',
  state: [body => readState(field(body, 'Severity'))],
  subject: [
    // Senders that were given no context send a placeholder, or a text about the subscription.
    body => (/^[\w.-]{2,40}$/.test(body.raw('Context')) ? body.line('Context') : ''),
  ],
  reason: [body => field(body, 'Message'), body => field(body, 'MessageId')],
}

/** Redfish's severities, from the least to the worst. */
const SEVERITIES = ['ok', 'warning', 'critical']

/** A field of the worst event. */
function field(body: Body, name: string): string {
  const rank = (event: JsonObject): number => SEVERITIES.indexOf(severityOf(event).toLowerCase())
  const [event] = [...body.objects('Events')].sort((one, other) => rank(other) - rank(one))
  return event === undefined ? '' : cleanLine(name === 'Severity' ? severityOf(event) : scalarOf(event[name]))
}

function severityOf(event: JsonObject): string {
  return scalarOf(event['Severity']) || scalarOf(event['MessageSeverity'])
}
