import type { Body } from '#domain/alert/body.ts'
import type { Sender } from '#domain/alert/sender.ts'

/** An entity of Home Assistant that changed, as templates of automations send it: its new and old value. */
export const stateChange: Sender = {
  format: 'generic',
  matches: body => body.raw('to_state') !== '' && nameOf(body) !== '' && body.find('message', 'title') === '',
  state: [],
  subject: [nameOf],
  reason: [body => withUnit(body, 'to_state')],
  extras: [body => (body.raw('from_state') === '' ? '' : `was ${withUnit(body, 'from_state')}`)],
}

function nameOf(body: Body): string {
  return body.line('friendly_name', 'name', 'entity_id')
}

/** The value; if it is a number, with its unit: `9%`, `21.5 °C`. */
function withUnit(body: Body, path: string): string {
  const value = body.line(path)
  const unit = body.raw('unit') || body.raw('unit_of_measurement')
  if (!/^-?\d/.test(value) || unit === '') return value
  return unit === '%' ? `${value}%` : `${value} ${unit}`
}
