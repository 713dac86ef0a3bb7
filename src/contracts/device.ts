/** Devices in the API's requests and answers, and pairing. */
import * as v from 'valibot'
import { PHONE_CREDENTIAL_LENGTH_MAX, SEGMENTS_PER_MINUTE_MAX, URL_LENGTH_MAX } from '#contracts/bounds.ts'
import { DrillPlan, DrillPlanShown, ProvenShown } from '#contracts/drill.ts'
import { PhoneNumberInput } from '#contracts/message.ts'
import { AddModemRequest, PinChange } from '#contracts/modem.ts'
import { noted } from '#contracts/noted.ts'
import { DEVICE_PROTOCOLS } from '#contracts/phone-orders.ts'
import { CountryCode, DEVICE_STATUSES, DeviceId, E164, Instant, Name, whole } from '#contracts/primitives.ts'

/** More than any SIM sends in a month. */
const SEGMENTS_MAX = 1_000_000

const count = v.pipe(v.number(), v.integer(), v.minValue(0))
const Cap = v.optional(v.nullable(whole(1, SEGMENTS_MAX)))

export const DeviceListItem = v.object({
  deviceId: noted(DeviceId, 'The phone, `dev_…`.'),
  name: noted(v.string(), 'A label for people, 1 to 80 characters on one line.'),
  status: noted(
    v.picklist(DEVICE_STATUSES),
    'busy: the phone is connected and all its sending slots are in use.',
  ),
  lastSeen: noted(Instant, 'When the gateway last heard from the phone.'),
  smsToday: noted(
    v.pipe(v.number(), v.integer(), v.minValue(0)),
    'Messages that the phone sent this UTC day.',
  ),
  segmentsToday: noted(count, 'Segments that count towards `smsPerDayMax`: those of this UTC day.'),
  smsThisMonth: noted(
    count,
    'Segments that count towards `smsPerMonthMax`: those since midnight UTC of the last `monthStartsOn`.',
  ),
  smsPerDayMax: noted(v.nullable(count), 'Segments that its SIM may send on a UTC day; null: no cap.'),
  smsPerMonthMax: noted(v.nullable(count), 'Segments that its SIM may send in a month; null: no cap.'),
  monthStartsOn: noted(count, 'The day on which a month of its SIM begins, 1 to 28.'),
  simInfo: noted(
    v.object({
      carrier: noted(v.nullable(v.string()), 'Name of the network operator; null: unknown.'),
      countryCode: noted(v.nullable(CountryCode), 'ISO 3166-1 alpha-2, two capital letters; null: unknown.'),
    }),
    'The first SIM.',
  ),
  paused: noted(v.boolean(), 'Whether the owner paused the phone: a paused phone gets no new messages.'),
  kind: noted(
    v.picklist(DEVICE_PROTOCOLS),
    'How the phone is connected: Roost’s own agent, a mode of the SMSGate app, or a modem of the machine.',
  ),
  trouble: noted(
    v.nullable(v.string()),
    'A sentence that says why the phone cannot send or receive; null: it can. A phone that cannot send ' +
      'gets no new messages until it can again.',
  ),
  calls: noted(v.boolean(), 'Whether the phone can ring people.'),
  receives: noted(
    v.boolean(),
    'Whether the phone hands in received texts. The first one shows it, if the phone does not say it before.',
  ),
  driver: noted(v.nullable(v.string()), 'The agent’s driver, such as `termux`; null: not reported yet.'),
  battery: noted(
    v.nullable(v.pipe(v.number(), v.minValue(0), v.maxValue(100))),
    'Level in percent, 0 to 100; null: unknown.',
  ),
  charging: noted(v.nullable(v.boolean()), 'Whether the phone is plugged in; null: unknown.'),
  signal: noted(
    v.nullable(v.pipe(v.number(), v.integer(), v.maxValue(-1))),
    'Signal strength in dBm, negative; null: unknown.',
  ),
  queueLength: noted(
    v.pipe(v.number(), v.integer(), v.minValue(0)),
    'Messages that wait for this phone or for any phone.',
  ),
  segmentsPerMinute: noted(
    v.pipe(v.number(), v.integer(), v.minValue(1)),
    'Pace of the phone, segments a minute, 1 to 1000000.',
  ),
  phoneNumber: noted(
    v.nullable(E164),
    'Its number as its owner wrote it down, for drills; null: the one that its SIM knows, if it does.',
  ),
  drill: noted(v.nullable(DrillPlanShown), 'When drills run by themselves; null: never.'),
  proven: noted(ProvenShown, 'What drills have proved of it.'),
})
export type DeviceListItem = v.InferOutput<typeof DeviceListItem>

export const DeviceDetail = v.object({
  ...DeviceListItem.entries,
  platform: noted(v.nullable(v.string()), 'Operating system of the phone; null: unknown.'),
  appVersion: noted(v.nullable(v.string()), 'Version of the program on the phone; null: unknown.'),
  sims: noted(
    v.array(
      v.object({
        slot: noted(v.pipe(v.number(), v.integer(), v.minValue(1)), 'SIM slot, counted from 1.'),
        carrier: noted(v.nullable(v.string()), 'Name of the network operator; null: unknown.'),
        countryCode: noted(
          v.nullable(CountryCode),
          'ISO 3166-1 alpha-2, two capital letters; null: unknown.',
        ),
        phoneNumber: noted(v.nullable(v.string()), 'Number of the SIM; null: unknown.'),
      }),
    ),
    'The SIMs in the phone.',
  ),
  pairedAt: noted(Instant, 'When the phone was paired.'),
})
export type DeviceDetail = v.InferOutput<typeof DeviceDetail>

/** Settings of a device; an absent field stays as it is. */
export const DeviceChange = v.object({
  name: noted(v.optional(Name), 'A label for people, 1 to 80 characters on one line.'),
  paused: noted(v.optional(v.boolean('must be true or false')), 'True: the phone gets no new messages.'),
  segmentsPerMinute: noted(
    v.optional(v.nullable(whole(1, SEGMENTS_PER_MINUTE_MAX))),
    'Pace of the phone, segments a minute, 1 to 1000000; null: `devices.segments_per_minute`.',
  ),
  smsPerDayMax: noted(Cap, 'Segments that its SIM may send on a UTC day, 1 to 1000000; null: no cap.'),
  smsPerMonthMax: noted(Cap, 'Segments that its SIM may send in a month, 1 to 1000000; null: no cap.'),
  monthStartsOn: noted(v.optional(whole(1, 28)), 'The day on which that month begins, 1 to 28 (UTC).'),
  drill: noted(v.optional(v.nullable(DrillPlan)), 'When drills run by themselves; null: never.'),
  phoneNumber: noted(
    v.optional(v.nullable(PhoneNumberInput)),
    'The number of its SIM with + and the country code, where the SIM does not know it; null: the SIM’s own.',
  ),
})
export type DeviceChange = v.InferOutput<typeof DeviceChange>

const PhoneUrl = v.pipe(
  v.string('must be text'),
  v.trim(),
  v.minLength(1, 'must not be empty'),
  v.maxLength(URL_LENGTH_MAX, `must be at most ${URL_LENGTH_MAX} characters`),
)
const Credential = v.pipe(
  v.string('must be text'),
  v.minLength(1, 'must not be empty'),
  v.maxLength(PHONE_CREDENTIAL_LENGTH_MAX, `must be at most ${PHONE_CREDENTIAL_LENGTH_MAX} characters`),
)
/** In HTTP Basic authentication a colon would end the user name (RFC 7617, section 2). */
const Username = v.pipe(Credential, v.regex(/^[^:]*$/, 'must not contain a colon'))

/** Address and credentials of a phone's local server, as the home screen of the SMSGate app shows them. */
const PhoneAccessChange = v.object({
  url: noted(
    v.optional(PhoneUrl),
    'The new address of the phone’s local server; only for the kind `smsgate`.',
  ),
  username: noted(v.optional(Username), 'The new user name of the phone’s local server.'),
  password: noted(
    v.optional(Credential),
    'The new password of the phone’s local server. No answer shows it.',
  ),
})
export type PhoneAccessChange = v.InferOutput<typeof PhoneAccessChange>

/** The local server of the app CallGate, which calls people on the same phone. */
const Ringer = v.object({
  url: noted(PhoneUrl, 'The address that CallGate shows, such as `http://192.168.1.20:8084`.'),
  username: noted(Username, 'The user name that CallGate shows.'),
  password: noted(Credential, 'The password that CallGate shows. No answer shows it.'),
})
export type Ringer = v.InferOutput<typeof Ringer>

export const UpdateDeviceRequest = v.object({
  ringer: noted(
    v.optional(v.nullable(Ringer)),
    'The app CallGate beside SMSGate, so that the phone can ring people; null: it no longer can.',
  ),
  ...DeviceChange.entries,
  ...PhoneAccessChange.entries,
  ...PinChange.entries,
})
export type UpdateDeviceRequest = v.InferOutput<typeof UpdateDeviceRequest>

/** A phone with a local server that an account wants to add. The gateway will connect to it. */
export interface NewPhone {
  readonly accountId: string
  readonly url: string
  readonly username: string
  readonly password: string
  /** Null: take the name that the phone reports. */
  readonly name: string | null
  /** Absent: the phone does not ring people. */
  readonly ringer?: Ringer
  /** Who adds it, for the audit list. */
  readonly by?: string
}

/** Adds a phone that the gateway reaches through the local server of the SMSGate app. */
const AddPhoneRequest = v.object({
  kind: noted(v.literal('smsgate'), '`smsgate`: the local server of the app SMSGate.'),
  url: noted(PhoneUrl, 'The address that the app shows, such as `http://192.168.1.20:8080`.'),
  username: noted(v.nullish(Username), 'The user name that the app shows; default: `sms`.'),
  password: noted(Credential, 'The password that the app shows. No answer shows it.'),
  name: noted(v.nullish(Name), 'A name for the phone; default: the name that the phone reports.'),
})

export const AddDeviceRequest = v.variant(
  'kind',
  [AddPhoneRequest, AddModemRequest],
  'must be smsgate or modem',
)
export type AddDeviceRequest = v.InferOutput<typeof AddDeviceRequest>

export const RemovedDevice = v.object({ deviceId: noted(DeviceId, 'The phone, `dev_…`.') })

export const CreatePairingRequest = v.object({
  name: noted(v.nullish(Name, null), 'A label for people, 1 to 80 characters on one line.'),
})
/** The gateway's own certificate authority, which a device can pin when it pairs over HTTPS. */
export const PairingAuthority = v.object({
  fingerprint: noted(
    v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
    'SHA-256 of the authority’s own certificate, 64 lower-case hexadecimal digits.',
  ),
  port: noted(
    v.pipe(v.number(), v.integer(), v.minValue(1)),
    'The HTTPS port whose certificate comes from this authority.',
  ),
})
export type PairingAuthority = v.InferOutput<typeof PairingAuthority>

export const PairingResource = v.object({
  code: noted(v.pipe(v.string(), v.regex(/^\d{8}$/)), 'The pairing code: eight digits, valid for one phone.'),
  expiresAt: noted(Instant, 'When the validity ends.'),
  pairUrl: noted(v.string(), 'The address to open on the phone, for example as a QR code.'),
  authority: noted(
    v.nullable(PairingAuthority),
    'The gateway’s own certificate authority, if it issued the HTTPS certificate; else null.',
  ),
})
export type PairingResource = v.InferOutput<typeof PairingResource>

const optionalText = (max: number) =>
  v.nullish(v.pipe(v.string('must be text'), v.maxLength(max, `must be at most ${max} characters`)), null)

export const PairRequest = v.object({
  code: noted(
    v.pipe(
      v.string('must be text'),
      v.trim(),
      v.regex(/^\d{8}$/, 'must be the 8 digits of the pairing code'),
    ),
    'The eight digits of the pairing code.',
  ),
  name: noted(v.nullish(Name, null), 'A label for people, 1 to 80 characters on one line.'),
  platform: noted(optionalText(64), 'Operating system of the phone; null: unknown.'),
  appVersion: noted(optionalText(64), 'Version of the program on the phone; null: unknown.'),
})
export type PairRequest = v.InferOutput<typeof PairRequest>

export const PairedDevice = v.object({
  deviceId: noted(DeviceId, 'The phone, `dev_…`.'),
  token: noted(v.string(), 'The secret token of the phone. Shown only in this answer.'),
  socketUrl: noted(v.string(), 'The address to which the phone opens its WebSocket.'),
  gatewayName: noted(v.string(), 'The host name of the gateway.'),
})
export type PairedDevice = v.InferOutput<typeof PairedDevice>
