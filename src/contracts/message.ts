/** Messages in the API's requests and answers. */
import * as v from 'valibot'
import {
  MESSAGE_LENGTH_MAX,
  PHONE_NUMBER_LENGTH_MAX,
  SIMS_MAX,
  TTL_S_MAX,
  URL_LENGTH_MAX,
} from '#contracts/bounds.ts'
import {
  DeviceId,
  E164,
  ENCODINGS,
  FutureTime,
  Instant,
  MESSAGE_KINDS,
  MESSAGE_STATUSES,
  MessageId,
  WebhookId,
} from '#contracts/primitives.ts'

/** Range of the time to live that a caller may ask for: 1 minute to 3 days. */
const TTL_S_MIN = 60

/** Checks only the shape; `domain/phone-number` decides whether the number is possible. */
export const PhoneNumberInput = v.pipe(
  v.string('must be text'),
  v.regex(/^\+/, 'must begin with + and the country code, like +14155550123'),
  v.maxLength(
    PHONE_NUMBER_LENGTH_MAX,
    `must be a phone number of at most ${PHONE_NUMBER_LENGTH_MAX} characters`,
  ),
)

export const MessageText = v.pipe(
  v.string('must be text'),
  v.minLength(1, 'must not be empty'),
  v.maxLength(MESSAGE_LENGTH_MAX, `must be at most ${MESSAGE_LENGTH_MAX} characters`),
  v.regex(/^$|\S/, 'must not be only white space'),
  v.regex(/^[^\0]*$/, 'must not contain the character U+0000'),
  v.check(isWellFormed, 'must not contain half of a surrogate pair'),
)

/**
 * An http or https address of at most 2,048 characters. Whether the gateway may call it is checked before
 * each call, because its host name may resolve to another IP address by then.
 */
export const HttpUrl = v.pipe(
  v.string('must be text'),
  v.maxLength(URL_LENGTH_MAX, `must be at most ${URL_LENGTH_MAX} characters`),
  v.regex(/^https?:\/\/[^\s/?#]+[^\s]*$/i, 'must be an http or https address'),
)

export const SimSlot = v.pipe(
  v.number('must be a number'),
  v.integer('must be a whole number'),
  v.minValue(1, 'must be 1 or more: slots count from 1'),
  v.maxValue(SIMS_MAX, `must be at most ${SIMS_MAX}`),
)

/**
 * Other names that clients use for the fields of `SendRequest`. The first one that is present counts.
 * Capitals do not matter.
 */
export const SEND_FIELD_ALIASES = {
  phoneNumber: ['to', 'number', 'recipient'],
  message: ['body', 'text', 'content'],
  sendAt: ['scheduledAt', 'scheduleAt', 'send_at'],
} as const

export const SendRequest = v.object({
  phoneNumber: PhoneNumberInput,
  message: MessageText,
  deviceId: v.nullish(v.string('must be text'), null),
  webhookUrl: v.nullish(HttpUrl, null),
  ttl: v.nullish(
    v.pipe(
      v.number('must be a number of seconds'),
      v.integer('must be a whole number of seconds'),
      v.minValue(TTL_S_MIN, `must be at least ${TTL_S_MIN} seconds`),
      v.maxValue(TTL_S_MAX, `must be at most ${TTL_S_MAX} seconds`),
    ),
    null,
  ),
  sendAt: v.nullish(FutureTime, null),
  priority: v.nullish(v.picklist(['normal', 'high'], 'must be normal or high'), 'normal'),
  simSlot: v.nullish(SimSlot, null),
  queueIfOffline: v.nullish(v.boolean('must be true or false'), false),
})
export type SendRequest = v.InferOutput<typeof SendRequest>

/** The answer to `POST /sms/send`. */
export const AcceptedMessageResource = v.object({
  messageId: MessageId,
  status: v.picklist(MESSAGE_STATUSES),
  phoneNumber: E164,
  createdAt: Instant,
  segments: v.pipe(v.number(), v.integer(), v.minValue(1)),
  encoding: v.picklist(ENCODINGS),
})
export type AcceptedMessageResource = v.InferOutput<typeof AcceptedMessageResource>

export const FailureResource = v.object({
  /**
   * The phone's own code, or CANCELLED, EXPIRED, OUTCOME_UNKNOWN, UNDELIVERED, DEVICE_REMOVED, RETRY_BRAKE.
   */
  code: v.string(),
  message: v.string(),
})

export const MessageResource = v.object({
  messageId: MessageId,
  status: v.picklist(MESSAGE_STATUSES),
  kind: v.picklist(MESSAGE_KINDS),
  phoneNumber: v.nullable(E164),
  message: v.nullable(v.string()),
  deviceId: v.nullable(DeviceId),
  pretend: v.boolean(),
  webhookId: v.nullable(WebhookId),
  segments: v.pipe(v.number(), v.integer(), v.minValue(1)),
  encoding: v.picklist(ENCODINGS),
  createdAt: Instant,
  sendAt: v.nullable(Instant),
  sentAt: v.nullable(Instant),
  deliveredAt: v.nullable(Instant),
  expiresAt: Instant,
  failure: v.nullable(FailureResource),
  timeline: v.array(v.object({ status: v.picklist(MESSAGE_STATUSES), at: Instant })),
})
export type MessageResource = v.InferOutput<typeof MessageResource>

function isWellFormed(text: string): boolean {
  return text.isWellFormed()
}
