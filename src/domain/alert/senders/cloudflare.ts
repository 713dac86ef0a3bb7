import type { Sender } from '#domain/alert/sender.ts'
import { readState } from '#domain/alert/vocabulary/states.ts'

/** Cloudflare's notification that a problem is over. The name of the policy still says `error`. */
export const cloudflareEnd: Sender = {
  format: 'generic',
  matches: body => body.raw('alert_event') === 'ALERT_STATE_EVENT_END',
  state: [() => readState('resolved')],
  subject: ['data.tunnel_name', 'name', 'policy_name'],
  reason: ['text'],
}
