/** Devices as the API takes and gives them. */
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

/** What the account decides about a device. */
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
/** A colon would end it (RFC 7617, section 2). */
const Username = v.pipe(Credential, v.regex(/^[^:]*$/, 'must not hold a colon'))

/** How the gateway gets into a phone that it reaches: what the app's home screen shows. */
const PhoneReach = v.object({
  url: v.optional(PhoneUrl),
  username: v.optional(Username),
  password: v.optional(Credential),
})
export type PhoneReach = v.InferOutput<typeof PhoneReach>

export const UpdateDeviceRequest = v.object({ ...DeviceChange.entries, ...PhoneReach.entries })
export type UpdateDeviceRequest = v.InferOutput<typeof UpdateDeviceRequest>

/** The user name that the app has from the start. */
export const PHONE_USERNAME = 'sms'

/** A phone to be reached, and whose it will be. */
export interface NewPhone {
  readonly accountId: string
  readonly url: string
  readonly username: string
  readonly password: string
  /** Null: as the phone calls itself. */
  readonly name: string | null
}

/** A phone that the gateway reaches: the local server of the app SMSGate. */
export const AddDeviceRequest = v.object({
  kind: v.literal('smsgate', 'must be smsgate'),
  url: PhoneUrl,
  /** `sms`, as the app has it, when left out. */
  username: v.nullish(Username),
  password: Credential,
  /** As the phone calls itself when left out. */
  name: v.nullish(Name),
})
export type AddDeviceRequest = v.InferOutput<typeof AddDeviceRequest>

export const RemovedDevice = v.object({ deviceId: DeviceId })

export const CreatePairingRequest = v.object({ name: v.nullish(Name, null) })
export const PairingResource = v.object({
  code: v.pipe(v.string(), v.regex(/^\d{8}$/)),
  expiresAt: Instant,
  pairUrl: v.string(),
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
  /** Shown once; the gateway keeps its hash. */
  token: v.string(),
  socketUrl: v.string(),
})
export type PairedDevice = v.InferOutput<typeof PairedDevice>
