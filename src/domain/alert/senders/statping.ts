import type { Body } from '#domain/alert/body.ts'
import type { Sender } from '#domain/alert/sender.ts'
import { readState } from '#domain/alert/vocabulary/states.ts'

/** Statping: a service with a flag `online`, and with an `issue` while the service is offline. */
export const statping: Sender = {
  format: 'uptime-monitor',
  matches: body => nameOf(body) !== '' && isOnline(body) !== null && body.has('issue'),
  state: [body => readState(isOnline(body) === true ? 'up' : 'down')],
  subject: [nameOf],
  reason: [body => (isOnline(body) === true ? '' : body.line('issue'))],
}

function nameOf(body: Body): string {
  return body.line('service', 'name')
}

/** The flag `online`, which Statping's template may print as text. Null: there is no such flag. */
function isOnline(body: Body): boolean | null {
  const online = String(body.at('online'))
  if (online === 'true') return true
  return online === 'false' ? false : null
}
