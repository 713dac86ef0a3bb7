import type { Sender } from '#domain/alert/sender.ts'
import { readState } from '#domain/alert/vocabulary/states.ts'

const TYPE = /Check(\w+?)Notification$/

/** Oh Dear: which check of which site. The type of the notification says how the check ended. */
export const ohDear: Sender = {
  format: 'uptime-monitor',
  matches: body => body.has('data.site.label') && body.has('data.check.label'),
  state: ['data.run.result', body => readState(TYPE.exec(body.raw('type'))?.[1] ?? '')],
  subject: ['data.site.label'],
  reason: ['data.run.result_payload.reason', body => `${body.line('data.check.label')} check`],
  extras: ['data.run.result_payload.status'],
}
