/** Devices in the API's requests and answers, and pairing. */
import * as v from 'valibot'
import { PHONE_CREDENTIAL_LENGTH_MAX, SEGMENTS_PER_MINUTE_MAX, URL_LENGTH_MAX } from '#contracts/bounds.ts'
import { DEVICE_PROTOCOLS } from '#contracts/phone-orders.ts'
import { CountryCode, DEVICE_STATUSES, DeviceId, Instant, Name } from '#contracts/primitives.ts'

export const DeviceListItem = v.object({
  deviceId: DeviceId,
  name: v.string(),
  status: v.picklist(DEVICE_STATUSES),
  lastSeen: Instant,
  smsToday: v.pipe(v.number(), v.integer(), v.minValue(0)),
  /** The first SIM. */
  simInfo: v.object({ carrier: v.nullable(v.string()), countryCode: v.nullable(CountryCode) }),
  paused: v.boolean(),
  kind: v.picklist(DEVICE_PROTOCOLS),
  trouble: v.nullable(v.string()),
  driver: v.nullable(v.string()),
  /** Percent. */
  battery: v.nullable(v.pipe(v.number(), v.minValue(0), v.maxValue(100))),
  charging: v.nullable(v.boolean()),
  /** dBm. */
  signal: v.nullable(v.pipe(v.number(), v.integer(), v.maxValue(-1))),
  queueLength: v.pipe(v.number(), v.integer(), v.minValue(0)),
  segmentsPerMinute: v.pipe(v.number(), v.integer(), v.minValue(1)),
})
export type DeviceListItem = v.InferOutput<typeof DeviceListItem>

export const DeviceDetail = v.object({
  ...DeviceListItem.entries,
  platform: v.nullable(v.string()),
  appVersion: v.nullable(v.string()),
  sims: v.array(
    v.object({
      slot: v.pipe(v.number(), v.integer(), v.minValue(1)),
      carrier: v.nullable(v.string()),
      countryCode: v.nullable(CountryCode),
      phoneNumber: v.nullable(v.string()),
    }),
  ),
  pairedAt: Instant,
})
export type DeviceDetail = v.InferOutput<typeof DeviceDetail>

/** Settings of a device; an absent field stays as it is. */
export const DeviceChange = v.object({
  name: v.optional(Name),
  paused: v.optional(v.boolean('must be true or false')),
  /** null: the configured pace. */
  segmentsPerMinute: v.optional(
    v.nullable(
      v.pipe(
        v.number('must be a number'),
        v.integer('must be a whole number'),
        v.minValue(1, 'must be at least 1'),
        v.maxValue(SEGMENTS_PER_MINUTE_MAX, `must be at most ${SEGMENTS_PER_MINUTE_MAX}`),
      ),
    ),
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
  url: v.optional(PhoneUrl),
  username: v.optional(Username),
  password: v.optional(Credential),
})
export type PhoneAccessChange = v.InferOutput<typeof PhoneAccessChange>

export const UpdateDeviceRequest = v.object({ ...DeviceChange.entries, ...PhoneAccessChange.entries })
export type UpdateDeviceRequest = v.InferOutput<typeof UpdateDeviceRequest>

/** The default user name of the SMSGate app's local server. */
export const PHONE_USERNAME = 'sms'

/** A phone with a local server that an account wants to add. The gateway will connect to it. */
export interface NewPhone {
  readonly accountId: string
  readonly url: string
  readonly username: string
  readonly password: string
  /** Null: take the name that the phone reports. */
  readonly name: string | null
}

/** Adds a phone that the gateway reaches through the local server of the SMSGate app. */
export const AddDeviceRequest = v.object({
  kind: v.literal('smsgate', 'must be smsgate'),
  url: PhoneUrl,
  /** Default: `PHONE_USERNAME`. */
  username: v.nullish(Username),
  password: Credential,
  /** Default: the name that the phone reports. */
  name: v.nullish(Name),
})
export type AddDeviceRequest = v.InferOutput<typeof AddDeviceRequest>

export const RemovedDevice = v.object({ deviceId: DeviceId })

export const CreatePairingRequest = v.object({ name: v.nullish(Name, null) })
/** The gateway's own certificate authority, which a device can pin when it pairs over HTTPS. */
export const PairingAuthority = v.object({
  fingerprint: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
  port: v.pipe(v.number(), v.integer(), v.minValue(1)),
})
export type PairingAuthority = v.InferOutput<typeof PairingAuthority>

export const PairingResource = v.object({
  code: v.pipe(v.string(), v.regex(/^\d{8}$/)),
  expiresAt: Instant,
  pairUrl: v.string(),
  authority: v.nullable(PairingAuthority),
})
export type PairingResource = v.InferOutput<typeof PairingResource>

const optionalText = (max: number) =>
  v.nullish(v.pipe(v.string('must be text'), v.maxLength(max, `must be at most ${max} characters`)), null)

export const PairRequest = v.object({
  code: v.pipe(
    v.string('must be text'),
    v.trim(),
    v.regex(/^\d{8}$/, 'must be the 8 digits of the pairing code'),
  ),
  name: v.nullish(Name, null),
  platform: optionalText(64),
  appVersion: optionalText(64),
})
export type PairRequest = v.InferOutput<typeof PairRequest>

export const PairedDevice = v.object({
  deviceId: DeviceId,
  /** Only this answer contains the token; the gateway stores its hash. */
  token: v.string(),
  socketUrl: v.string(),
  gatewayName: v.string(),
})
export type PairedDevice = v.InferOutput<typeof PairedDevice>
