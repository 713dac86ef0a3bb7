import type { Sender } from '#domain/alert/sender.ts'
import { readHeadline } from '#domain/alert/text/headline.ts'

/** Grafana OnCall: the state of a group of alerts. The first alert as it came is repeated with each event. */
export const grafanaOnCall: Sender = {
  format: 'generic',
  matches: body => body.raw('alert_group.state') !== '' && body.has('alert_payload'),
  state: ['alert_group.state'],
  subject: [body => readHeadline(body.line('alert_group.title')).text],
  reason: [
    body =>
      body.raw('alert_group.state') === 'resolved'
        ? ''
        : body.line('alert_payload.message', 'alert_payload.commonAnnotations.summary'),
  ],
}
