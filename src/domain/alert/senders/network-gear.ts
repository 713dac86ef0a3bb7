import type { Body } from '#domain/alert/body.ts'
import type { Sender } from '#domain/alert/sender.ts'
import { stateInSentence } from '#domain/alert/text/headline.ts'
import type { State } from '#domain/alert/vocabulary/states.ts'

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
