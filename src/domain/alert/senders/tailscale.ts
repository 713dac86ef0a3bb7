import { type Body, oncePerBody } from '#domain/alert/body.ts'
import { isObject, type JsonObject, objectsOf } from '#domain/alert/read/json-value.ts'
import { scalarOf } from '#domain/alert/read/scalar-of.ts'
import type { Sender } from '#domain/alert/sender.ts'
import { cleanLine } from '#domain/alert/text/clean-text.ts'
import { readState, type State } from '#domain/alert/vocabulary/states.ts'

const ACTION: State = { word: 'ACTION', kind: 'bad', severity: 'warning' }
const WARN: State = { word: 'WARN', kind: 'bad', severity: 'warning' }

/** Events that need attention, the most urgent first. All other events only report a change. */
const URGENT: ReadonlyMap<string, State | null> = new Map([
  ['nodeKeyExpired', readState('expired')],
  ['nodeKeyExpiringInOneDay', WARN],
  ['subnetIPForwardingNotEnabled', WARN],
  ['exitNodeIPForwardingNotEnabled', WARN],
  ['nodeNeedsApproval', ACTION],
  ['nodeNeedsSignature', ACTION],
  ['userNeedsApproval', ACTION],
  ['test', readState('test')],
])

/** Tailscale's webhooks: a list of events, each with a sentence in `message`. */
export const tailscale: Sender = {
  format: 'generic',
  matches: body => eventsOf(body).length > 0,
  state: [body => URGENT.get(typeOf(eventsOf(body)[0])) ?? null],
  severity: body => (URGENT.has(typeOf(eventsOf(body)[0])) ? null : 'info'),
  reason: [body => eventsOf(body).map(event => cleanLine(scalarOf(event['message'])))],
  extras: [actorOf],
}

/** The events, the most urgent first. Empty if any entry of the list is not an event. */
const eventsOf = oncePerBody((body: Body): readonly JsonObject[] => {
  const events = objectsOf(body.value)
  const areEvents = events.every(event => scalarOf(event['tailnet']) !== '' && typeOf(event) !== '')
  return areEvents ? events.toSorted((one, other) => rankOf(one) - rankOf(other)) : []
})

/** The person who caused the only event. An actor without `@` is Tailscale: `expiring-node-key-marker`. */
function actorOf(body: Body): string {
  const [event, ...more] = eventsOf(body)
  const data = event?.['data']
  const actor = isObject(data) ? cleanLine(scalarOf(data['actor'])) : ''
  return more.length === 0 && actor.includes('@') ? actor : ''
}

function rankOf(event: JsonObject): number {
  const rank = [...URGENT.keys()].indexOf(typeOf(event))
  return rank === -1 ? URGENT.size : rank
}

function typeOf(event: JsonObject | undefined): string {
  return scalarOf(event?.['type'])
}
