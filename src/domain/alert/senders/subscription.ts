import type { Body } from '#domain/alert/body.ts'
import type { Sender } from '#domain/alert/sender.ts'
import { isShort } from '#domain/alert/text/cut-text.ts'

const LINKS = ['subscribeurl', 'confirmationurl']

/** A request of AWS SNS, or a similar service, to confirm a subscription by opening its link. */
export const subscription: Sender = {
  format: 'generic',
  matches: body => body.find(...LINKS) !== '',
  state: [() => ({ word: 'CONFIRM', kind: 'other' })],
  subject: [() => 'subscription'],
  reason: [linkOrTopic],
}

/** The link, or the name of the topic if the link is too long for a text. */
function linkOrTopic(body: Body): string {
  const link = body.find(...LINKS)
  if (isShort(`CONFIRM subscription: ${link}`)) return link
  const topic = body.find('topicarn').split(':').at(-1) ?? ''
  return `${topic === '' ? 'the sender' : `topic ${topic}`} waits until you open its link`
}
