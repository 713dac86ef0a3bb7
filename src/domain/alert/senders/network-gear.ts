import type { Sender } from '#domain/alert/sender.ts'

/** Meraki's dashboard: what happened to which device, in which network. */
export const meraki: Sender = {
  format: 'generic',
  matches: body => body.raw('alertType') !== '' && body.has('organizationName') && body.has('alertLevel'),
  state: ['alertLevel'],
  subject: ['deviceName', 'networkName'],
  reason: ['alertType'],
  extras: ['networkName'],
}
