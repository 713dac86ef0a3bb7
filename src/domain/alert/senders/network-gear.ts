import type { Body } from '#domain/alert/body.ts'
import type { Sender } from '#domain/alert/sender.ts'
import { stateInSentence } from '#domain/alert/text/headline.ts'
import { readState, type State, severityOf } from '#domain/alert/vocabulary/states.ts'

/** Meraki's dashboard: what happened to which device, in which network. */
export const meraki: Sender = {
  format: 'generic',
  matches: body => body.raw('alertType') !== '' && body.has('organizationName') && body.has('alertLevel'),
  state: [endState, 'alertLevel'],
  subject: ['deviceName', 'networkName'],
  reason: ['alertType'],
  extras: ['networkName'],
}

/** `APs came up`: the level stays that of the problem. */
function endState(body: Body): State | null {
  const state = stateInSentence(body.line('alertType'))
  return state?.kind === 'good' ? state : null
}

/** LibreNMS: an alert that is over by its number alone. Title and severity stay those of the alert. */
export const librenmsEnd: Sender = {
  format: 'generic',
  matches: body =>
    body.raw('state') === '0' &&
    body.raw('hostname') !== '' &&
    body.raw('title').startsWith('Alert for device ') &&
    stateInSentence(body.line('title')) === null,
  state: [() => readState('recovered')],
  severity: body => severityOf(readState(body.line('severity'))),
  subject: ['title'],
  reason: [],
  lasted: body => body.line('elapsed'),
}
