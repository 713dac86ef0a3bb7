import type { Sender } from '#domain/alert/sender.ts'

/** An AWS event forwarded by EventBridge: `detail-type`, and the resources that it is about. */
export const awsEvent: Sender = {
  format: 'generic',
  matches: body =>
    /^aws\./.test(body.raw('source')) && body.raw('detail-type') !== '' && !body.has('detail.alarmName'),
  state: ['detail.state', 'detail.lastStatus', 'detail.status'],
  subject: [body => body.line('detail-type').replace(/ Notification$/, '')],
  reason: [
    'detail.stoppedReason',
    'detail.statusMessage',
    'detail.Message',
    'detail.title',
    'detail.description',
    body => resourceOf(body.raw('resources')),
  ],
  extras: [body => resourceOf(body.raw('resources'))],
}

/** The last part of the first resource's ARN: `i-0abcd1111`. */
function resourceOf(names: string): string {
  const [first = ''] = names.split(', ')
  return first.split(/[/:]/).at(-1) ?? ''
}
