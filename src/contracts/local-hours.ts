/** Spans of a person's day. */
import * as v from 'valibot'
import { noted } from '#contracts/noted.ts'

export const ClockTime = v.pipe(
  v.string('must be text'),
  v.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'must be a time like 22:00'),
)

export const hours = {
  from: noted(ClockTime, 'When they begin: local time of the person, like `22:00`.'),
  to: noted(ClockTime, 'When they end; an earlier time is on the next day.'),
}
export const areHours = ({ from, to }: { from: string; to: string }) => from !== to
export const HOURS_FAULT = 'must end at another time than it begins'
export const RingHours = v.nullable(
  v.pipe(
    v.object(hours, 'must be an object with from and to, or null'),
    v.check(span => areHours(span), HOURS_FAULT),
  ),
)
