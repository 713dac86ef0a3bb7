/** The small types that the whole API shares: ids, times, numbers, names, statuses. */
import * as v from 'valibot'
import { NAME_LENGTH_MAX } from '#contracts/bounds.ts'
import { KINDS, type KindName } from '#contracts/kinds.ts'

/**
 * A ULID: 26 characters of Crockford's base32. It begins with 48 bits of milliseconds, so it sorts by time.
 */
const ULID = '[0-9A-HJKMNP-TV-Z]{26}'

/* @__NO_SIDE_EFFECTS__ */
function idOf(kind: KindName, refusal: string) {
  return v.pipe(v.string(), v.regex(new RegExp(`^${KINDS[kind].prefix}${ULID}$`), refusal))
}

export const MessageId = idOf('message', 'must be a message id (msg_…)')
export const DeviceId = idOf('device', 'must be a device id (dev_…)')
export const DeviceGroupId = idOf('device-group', 'must be the id of a group of phones (dgr_…)')
export const WebhookId = idOf('webhook', 'must be a webhook id (whk_…)')
export const IncidentId = idOf('incident', 'must be the id of an incident (inc_…)')
export const PersonId = idOf('person', 'must be the id of a person (per_…)')
export const DrillId = idOf('drill', 'must be the id of a drill (dri_…)')
export const ForwardId = idOf('forward', 'must be the id of a forward (fwd_…)')
export const RotaId = idOf('rota', 'must be the id of a rota (rot_…)')
export const OverrideId = idOf('override', 'must be the id of an override (ovr_…)')
export const GroupId = idOf('group', 'must be the id of a group of people (grp_…)')
export const PolicyId = idOf('policy', 'must be the id of a policy (pol_…)')

/** A point in time as the API writes it: ISO 8601, UTC, milliseconds. */
export const Instant = v.pipe(
  v.string(),
  v.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/, 'must be ISO 8601 in UTC with milliseconds'),
  v.metadata({ title: 'Instant' }),
)

/** A point in time that a caller writes as ISO 8601 in UTC; becomes milliseconds since 1970. */
export const Time = v.pipe(
  v.string('must be text'),
  v.isoTimestamp('must be a time like 2026-01-31T12:00:00.000Z'),
  v.check(isExistingDay, 'must be a day that exists in the calendar'),
  v.transform(text => Date.parse(text)),
  v.number(),
)

/**
 * A point in time that a caller writes as ISO 8601 with Z or an offset, also without seconds; becomes
 * milliseconds since 1970.
 */
export const FutureTime = v.pipe(
  v.string('must be text'),
  v.regex(
    /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)$/,
    'must be a time with Z or an offset, like 2026-01-31T12:00:00+01:00',
  ),
  v.check(isExistingDay, 'must be a day that exists in the calendar'),
  v.transform(text => Date.parse(text)),
  v.number('must be a time that exists'),
)

/**
 * Refuses days such as 31 February, which `Date.parse` would read as 3 March. Text of another form is already
 * reported as no time.
 */
function isExistingDay(text: string): boolean {
  if (!/^\d{4}-(?:0[1-9]|1[0-2])-/.test(text)) return true
  const [year = 0, month = 0, day = 0] = text.slice(0, 10).split('-').map(Number)
  // `Date.UTC` counts months from 0, so day 0 of `month` is the last day of the written month.
  const lastDay = new Date(Date.UTC(year, month, 0)).getUTCDate()
  return day <= lastDay
}

/** A phone number in an answer of the API. */
/** The number of a text that was sent: E.164, or a short code. */
export const SentNumber = v.pipe(
  v.string(),
  v.regex(/^(?:\+[1-9]\d{1,14}|\d{3,6})$/, 'must be an E.164 number, or a short code'),
)
export const E164 = v.pipe(v.string(), v.regex(/^\+[1-9]\d{1,14}$/, 'must be an E.164 number'))

/** A name that a person chose: trimmed, on one line, 1 to 80 characters. */
export const Name = v.pipe(
  v.string(),
  v.trim(),
  v.minLength(1, 'must not be empty'),
  v.maxLength(NAME_LENGTH_MAX, `must be at most ${NAME_LENGTH_MAX} characters`),
  v.regex(/^[^\p{Cc}\p{Cs}]*$/u, 'must not contain control characters or half of a surrogate pair'),
)

export const CountryCode = v.pipe(v.string(), v.regex(/^[A-Z]{2}$/, 'must be a two-letter country code'))

export const MESSAGE_STATUSES = ['queued', 'sending', 'sent', 'delivered', 'failed'] as const
export type MessageStatus = (typeof MESSAGE_STATUSES)[number]
export const MESSAGE_KINDS = ['sms', '2fa', 'webhook', 'drill'] as const
export type MessageKind = (typeof MESSAGE_KINDS)[number]
export const ENCODINGS = ['GSM-7', 'UCS-2'] as const
export type Encoding = (typeof ENCODINGS)[number]
export const DEVICE_STATUSES = ['online', 'offline', 'busy'] as const
export type DeviceStatus = (typeof DEVICE_STATUSES)[number]

/** A whole number in a request. */
export function whole(min: number, max: number) {
  return v.pipe(
    v.number('must be a number'),
    v.integer('must be a whole number'),
    v.minValue(min, `must be at least ${min}`),
    v.maxValue(max, `must be at most ${max}`),
  )
}

/** A span in a request. */
export function seconds(min: number, max: number) {
  return v.pipe(
    v.number('must be a number of seconds'),
    v.integer('must be a whole number of seconds'),
    v.minValue(min, `must be at least ${min} seconds`),
    v.maxValue(max, `must be at most ${max} seconds`),
  )
}
