import * as v from 'valibot'
import { PHONE_HISTORY_DAYS, PhoneHalfHour } from '#contracts/device-history.ts'
import { noted } from '#contracts/noted.ts'
import { HALF_HOUR_MS, halfHourOf } from '#domain/device/phone-history.ts'
import { notFound } from '#domain/problem.ts'
import { DAY_MS, instant } from '#domain/time.ts'
import { Validation } from '#transport/http/body.ts'
import { knownRoutes } from '#transport/http/known-routes.ts'
import { countUpTo } from '#transport/http/list-query.ts'
import { DEVICE_ID } from '#transport/http/openapi/example-values.ts'
import { readQuery } from '#transport/http/read-fields.ts'
import type { Route } from '#transport/http/route.ts'
import type { RoutePorts } from '#transport/http/route-ports.ts'

const HistoryQuery = v.object({
  days: noted(
    v.optional(countUpTo(PHONE_HISTORY_DAYS)),
    `Number of days until now, 1 to ${PHONE_HISTORY_DAYS}; default 1.`,
    1,
  ),
})

const HALF_HOUR = { battery: 87, charging: true, signal: -71, offlineMinutes: 0, sent: 4, failed: 1 }

/** The route that shows what a phone reported and did over days. */
export function deviceHistoryRoutes(ports: Pick<RoutePorts, 'phoneHistory' | 'wallMs'>): Route[] {
  return knownRoutes({ tag: 'devices', access: 'key', role: 'viewer' }, [
    {
      method: 'get',
      path: '/api/v1/devices/{deviceId}/history',
      operation: {
        id: 'getDeviceHistory',
        summary: 'Battery, signal and texts of a device by half-hour',
        description:
          'Half-hours that have ended, the oldest first. One in which the phone was offline all the time ' +
          'has 30 offlineMinutes and no levels. One in which the gateway did not run is left out. A ' +
          'restart of the gateway loses the counts of the half-hour in which it happens. ' +
          '404: the account has no phone with this id.',
        parameters: {
          deviceId: { description: 'Id of the phone, from the list of devices.', example: DEVICE_ID },
        },
        query: HistoryQuery,
        response: v.array(PhoneHalfHour),
        example: { data: [{ at: '2026-01-31T12:00:00.000Z', ...HALF_HOUR }] },
      },
      handle({ principal, parameters, rawQuery }) {
        const validation = new Validation()
        const parsed = validation.parseQuery(HistoryQuery, readQuery(rawQuery))
        const { days = 1 } = validation.complete(parsed)
        const since = halfHourOf(ports.wallMs() - days * DAY_MS)
        const rows = ports.phoneHistory(principal.accountId, parameters[0] ?? '', since)
        if (rows === undefined) throw notFound('device')
        return {
          data: rows.map(({ halfHour, ...row }) => ({ at: instant(halfHour * HALF_HOUR_MS), ...row })),
        }
      },
    },
  ])
}
