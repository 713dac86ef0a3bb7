import type { Sender } from '#domain/alert/sender.ts'

const LINKS = ['subscribeurl', 'confirmationurl']

/** A request of AWS SNS, or a similar service, to confirm a subscription by opening its link. */
export const subscription: Sender = {
  format: 'generic',
  matches: body => body.find(...LINKS) !== '',
  state: [() => ({ word: 'CONFIRM', kind: 'other' })],
  subject: [() => 'subscription'],
  reason: [body => body.find(...LINKS)],
}
