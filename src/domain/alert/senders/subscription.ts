import type { Sender } from '#domain/alert/sender.ts'

const LINKS = ['subscribeurl', 'confirmationurl']

/** A subscription of AWS SNS or its like: somebody confirms it by opening the link. */
export const subscription: Sender = {
  format: 'generic',
  matches: body => body.find(...LINKS) !== '',
  state: [() => ({ word: 'CONFIRM', kind: 'other' })],
  subject: [() => 'subscription'],
  reason: [body => body.find(...LINKS)],
}
