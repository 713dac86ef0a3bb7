import type { Body } from '#domain/alert/body.ts'
import { digestPairs } from '#domain/alert/guess/digest-fields.ts'
import { isObject, type JsonObject } from '#domain/alert/read/json-value.ts'
import type { Sender } from '#domain/alert/sender.ts'
import { readState } from '#domain/alert/vocabulary/states.ts'

/** A message of MQTT as Node-RED passes it on: a topic, and what a device measured. */
export const sensorMessage: Sender = {
  format: 'generic',
  matches: body => body.raw('topic') !== '' && hasOnlyValues(payloadOf(body)),
  state: [body => (payloadOf(body)['alarm'] === true ? readState('alarm') : null)],
  subject: ['topic'],
  reason: [
    body =>
      digestPairs(payloadOf(body))
        .filter(pair => pair !== 'alarm=true')
        .join(' '),
  ],
}

function payloadOf(body: Body): JsonObject {
  const payload = body.at('payload')
  return isObject(payload) ? payload : {}
}

/** Whether there are numbers and flags, but no texts. */
function hasOnlyValues(payload: JsonObject): boolean {
  const values = Object.values(payload)
  return values.length > 0 && values.every(value => typeof value === 'number' || typeof value === 'boolean')
}
