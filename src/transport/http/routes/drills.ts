import * as v from 'valibot'
import { DrillResource } from '#contracts/drill.ts'
import { knownRoutes } from '#transport/http/known-routes.ts'
import { DEVICE_ID, DRILL_ID, MESSAGE_ID, TIME } from '#transport/http/openapi/example-values.ts'
import { referenceAs } from '#transport/http/read-change.ts'
import type { Route } from '#transport/http/route.ts'
import type { RoutePorts } from '#transport/http/route-ports.ts'

const DRILL = {
  id: DRILL_ID,
  at: TIME,
  deviceId: DEVICE_ID,
  toDeviceId: DEVICE_ID,
  messageId: MESSAGE_ID,
  by: 'hand',
  outcome: null,
  reason: null,
  tookMs: null,
  endedAt: null,
}
const OF_DEVICE = {
  deviceId: { description: 'Id of the phone that sends, from the list of devices.', example: DEVICE_ID },
}
const path = '/api/v1/devices/{deviceId}/drills'

/** The drills of a phone. They ask the writer, as all routes of phones do. */
export function drillRoutes({ writer }: Pick<RoutePorts, 'writer'>): Route[] {
  return knownRoutes({ tag: 'devices', role: 'operator' }, [
    {
      method: 'get',
      path,
      access: 'key',
      role: 'viewer',
      operation: {
        id: 'listDrills',
        summary: 'List the drills of a device',
        description: 'The last 60, newest first. 404: the account has no phone with this id.',
        parameters: OF_DEVICE,
        response: v.array(DrillResource),
        example: { data: [{ ...DRILL, outcome: 'proven', tookMs: 6400, endedAt: TIME }] },
      },
      handle: async call => ({ data: await writer.ask('drill.list', referenceAs('deviceId', call)) }),
    },
    {
      method: 'post',
      path,
      operation: {
        id: 'startDrill',
        summary: 'Prove that a device sends, and that another one receives',
        description:
          'Sends a text with a secret code through this phone to another phone of the account, or to its ' +
          'own number; it is proven when the text comes back. 409: a drill of this phone is under way, it ' +
          'is paused or at its cap, no number is known, or no phone receives. 503: it is not connected. ' +
          '429: more than 3 in an hour or 12 in a day. 404: the account has no phone with this id.',
        parameters: OF_DEVICE,
        response: DrillResource,
        problems: [409],
        example: { data: DRILL },
      },
      handle: async call => ({
        data: await writer.ask('drill.start', referenceAs('deviceId', call), call.by),
      }),
    },
  ])
}
