import type { Sender } from '#domain/alert/sender.ts'
import { joinWords } from '#domain/alert/text/join-words.ts'
import { readState } from '#domain/alert/vocabulary/states.ts'

/** An AWS event forwarded by EventBridge: `detail-type`, and the resources that it is about. */
export const awsEvent: Sender = {
  format: 'generic',
  matches: body =>
    /^aws\./.test(body.raw('source')) && body.raw('detail-type') !== '' && !body.has('detail.alarmName'),
  state: ['detail.state', 'detail.lastStatus', 'detail.status', 'detail.build-status'],
  subject: [body => body.line('detail-type').replace(/ Notification$/, '')],
  reason: [
    'detail.stoppedReason',
    'detail.statusMessage',
    'detail.Message',
    'detail.title',
    'detail.description',
    'detail.project-name',
    body => resourceOf(body.raw('resources')),
  ],
  extras: [
    'detail.group',
    body => resourceOf(body.raw(body.has('detail.clusterArn') ? 'detail.clusterArn' : 'resources')),
  ],
}

const BUDGET_LIMIT = /associated with your\s(.{1,100}?) budget is greater than (\S{1,30})/i
const BUDGET_COST = /\b(actual|forecasted) (\w{1,30}) associated with this budget is (\S{1,30}?)\.(?=\s|$)/i

/** A mail of AWS Budgets: the cost and the limit are in the middle of its text. */
export const awsBudget: Sender = {
  format: 'generic',
  matches: body => BUDGET_LIMIT.test(body.text) && BUDGET_COST.test(body.text),
  state: [],
  subject: [body => `AWS budget ${body.match(BUDGET_LIMIT)}`],
  reason: [
    body => {
      const [, , limit = ''] = BUDGET_LIMIT.exec(body.text) ?? []
      const [, when = '', what = '', amount = ''] = BUDGET_COST.exec(body.text) ?? []
      return `${when.toLowerCase()} ${what.toLowerCase()} ${amount} > ${limit}`
    },
  ],
}

/** Google's budgets: an alert if a threshold is exceeded. Else they tell the cost, several times a day. */
export const googleBudget: Sender = {
  format: 'generic',
  matches: body => body.has('budgetDisplayName') && body.has('costAmount') && body.has('budgetAmount'),
  state: [body => (body.raw(EXCEEDED) === '' ? null : readState('warning'))],
  subject: [body => `budget ${body.line('budgetDisplayName')}`],
  reason: [
    body =>
      joinWords(`cost ${body.raw('costAmount')} of ${body.raw('budgetAmount')}`, body.raw('currencyCode')),
  ],
}
const EXCEEDED = 'alertThresholdExceeded'

/** The last part of the first resource's ARN: `i-0abcd1111`. */
function resourceOf(names: string): string {
  const [first = ''] = names.split(', ')
  return first.split(/[/:]/).at(-1) ?? ''
}
