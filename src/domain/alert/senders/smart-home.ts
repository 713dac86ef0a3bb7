import type { Body } from '#domain/alert/body.ts'
import type { Sender } from '#domain/alert/sender.ts'
import { foldText } from '#domain/alert/text/fold-text.ts'
import { readState } from '#domain/alert/vocabulary/states.ts'

const NEW = ['to_state', 'new_state', 'state']
const OLD = ['from_state', 'old_state']
/** Fields in which an automation says more than the change. */
const TEXTS = ['message', 'text', 'description', 'reason', 'details']
const TITLES = ['title', 'subject', 'alert', 'alarm', 'event']

/** An entity of Home Assistant that changed, as templates of automations send it: its new and old value. */
export const stateChange: Sender = {
  format: 'generic',
  // A state such as `unavailable` is an alarm, which the guess by field names reads.
  matches: body =>
    body.has('entity_id') &&
    OLD.some(path => body.raw(path) !== '') &&
    readState(body.line(...NEW)) === null &&
    body.line(...NEW) !== '' &&
    body.find(...TEXTS, ...TITLES) === '',
  state: [],
  subject: [nameOf],
  reason: [body => withUnit(body, NEW)],
  extras: [body => `was ${withUnit(body, OLD)}`],
}

function nameOf(body: Body): string {
  return body.line('friendly_name', 'name', 'entity_id')
}

/** The value; if it is a number, with its unit: `9%`, `21.5 C`. */
function withUnit(body: Body, paths: readonly string[]): string {
  const value = body.line(...paths)
  const unit = foldText(body.raw('unit') || body.raw('unit_of_measurement'))
  if (!/^-?\d/.test(value) || unit === '') return value
  return unit === '%' ? `${value}%` : `${value} ${unit}`
}

/** What a sensor of Zigbee2MQTT can report. */
const FLAGS = ['water_leak', 'smoke', 'gas', 'carbon_monoxide', 'tamper', 'vibration', 'battery_low']

/** A message of Zigbee2MQTT with the device that sent it: what it reports. */
export const zigbeeSensor: Sender = {
  format: 'generic',
  matches: body => body.has('linkquality') && body.raw('device.friendlyName') !== '' && flagsOf(body) !== '',
  state: [],
  subject: ['device.friendlyName'],
  reason: [flagsOf],
  extras: [body => (body.raw('battery') === '' ? '' : `battery ${body.raw('battery')}%`)],
}

function flagsOf(body: Body): string {
  const set = FLAGS.filter(name => body.at(name) === true)
  return set.map(name => name.replaceAll('_', ' ')).join(', ')
}
