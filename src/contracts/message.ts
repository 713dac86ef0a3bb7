/** Messages in the API's requests and answers. */
import * as v from 'valibot'
import {
  MESSAGE_LENGTH_MAX,
  PHONE_NUMBER_LENGTH_MAX,
  SIMS_MAX,
  TTL_S_MAX,
  URL_LENGTH_MAX,
} from '#contracts/bounds.ts'
import { DeviceGroupField } from '#contracts/device-group.ts'
import { noted } from '#contracts/noted.ts'
import {
  DeviceId,
  ENCODINGS,
  FutureTime,
  Instant,
  MESSAGE_KINDS,
  MESSAGE_STATUSES,
  MessageId,
  SentNumber,
  seconds,
  WebhookId,
} from '#contracts/primitives.ts'

/** Range of the time to live that a caller may ask for: 1 minute to 3 days. */
const TTL_S_MIN = 60

/** Checks only the length; `domain/phone-number` reads the number. */
export const PhoneNumberInput = v.pipe(
  v.string('must be text'),
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
  phoneNumber: noted(PhoneNumberInput, 'The number with + and the country code (E.164).'),
  skipPhoneValidation: noted(
    v.nullish(v.boolean('must be true or false'), false),
    'true: a number that no rule knows is taken as it is: + and 5 to 15 digits, or a short code.',
  ),
  message: noted(MessageText, 'The text: 1 to 1600 UTF-16 code units, not only white space.'),
  deviceId: noted(
    v.nullish(v.string('must be text'), null),
    'The phone that must send the message; null: the gateway chooses one.',
  ),
  deviceGroupId: DeviceGroupField,
  webhookUrl: noted(
    v.nullish(HttpUrl, null),
    'The URL that gets this message’s notifications, instead of the account’s URL.',
  ),
  ttl: noted(
    v.nullish(seconds(TTL_S_MIN, TTL_S_MAX), null),
    'Seconds until an unsent message expires, 60 to 259200; null: `messages.ttl_s` (default 14400).',
  ),
  sendAt: noted(
    v.nullish(FutureTime, null),
    'ISO 8601 with Z or an offset, at most 90 days ahead. No phone gets the text before; `ttl` begins then.',
  ),
  priority: noted(
    v.nullish(v.picklist(['normal', 'high'], 'must be normal or high'), 'normal'),
    'A phone sends messages with high priority before those with normal priority.',
  ),
  simSlot: noted(
    v.nullish(SimSlot, null),
    'Slot of the SIM that sends the message, counted from 1; null: the phone chooses.',
  ),
  queueIfOffline: noted(
    v.nullish(v.boolean('must be true or false'), false),
    'true: the message is accepted even while no phone is connected, and waits.',
  ),
  despiteOptOut: noted(
    v.nullish(v.boolean('must be true or false'), false),
    'true: the number gets it although it wants no more texts. Only a person at the console can say so.',
  ),
})
export type SendRequest = v.InferOutput<typeof SendRequest>

/**
 * A message as its maker asks for it, whichever door it comes through. What has a default may be left out
 * (`plainText` in `domain/message/message-fields.ts`).
 */
export const NewMessage = v.object({
  accountId: v.string(),
  /** Whether a sandbox key made the message, which then never reaches a phone. */
  test: v.optional(v.boolean(), false),
  kind: v.optional(v.picklist(MESSAGE_KINDS), 'sms'),
  phoneNumber: SentNumber,
  /** ISO 3166-1 alpha-2; `+` and the calling code where several countries share it; null: unknown. */
  country: v.nullable(v.string()),
  text: MessageText,
  segments: v.number(),
  encoding: v.picklist(ENCODINGS),
  /** The phone or the group of phones that must send it; null: any phone. */
  deviceId: v.optional(v.nullable(v.string()), null),
  ttlMs: v.optional(v.nullable(v.number()), null),
  /**
   * Milliseconds since 1970 before which no phone may get it, and at which its time to live begins; null:
   * send at once.
   */
  sendAt: v.optional(v.nullable(v.number()), null),
  priority: v.optional(v.picklist(['normal', 'high']), 'normal'),
  /** 1-based; null: the phone chooses. */
  simSlot: v.optional(v.nullable(v.number()), null),
  queueIfOffline: v.optional(v.boolean(), true),
  notificationUrl: v.optional(v.nullable(v.string()), null),
  /** The webhook whose alert it is; null: it is no alert. */
  webhookId: v.optional(v.nullable(v.string()), null),
  /** Whether Roost worded the alert by a guess. */
  guess: v.optional(v.boolean(), false),
  /** Whether it goes to its number even if that wants no more texts. */
  despiteOptOut: v.optional(v.boolean(), false),
})
export type NewMessage = Readonly<v.InferOutput<typeof NewMessage>>

/** The answer to `POST /sms/send`. */
export const AcceptedMessageResource = v.object({
  messageId: noted(MessageId, 'The message, `msg_…`.'),
  status: noted(v.picklist(MESSAGE_STATUSES), 'The current state.'),
  phoneNumber: noted(SentNumber, 'E.164: + and 2 to 15 digits; of a short code its digits.'),
  createdAt: noted(Instant, 'Time of creation.'),
  segments: noted(
    v.pipe(v.number(), v.integer(), v.minValue(1)),
    'Number of SMS segments in which the network sends the text.',
  ),
  encoding: noted(v.picklist(ENCODINGS), 'One segment holds 160 characters in GSM-7 and 70 in UCS-2.'),
})
export type AcceptedMessageResource = v.InferOutput<typeof AcceptedMessageResource>

export const FailureResource = v.object({
  code: noted(
    v.string(),
    'CANCELLED, EXPIRED, OUTCOME_UNKNOWN, UNDELIVERED, DEVICE_REMOVED, OPTED_OUT, RETRY_BRAKE, or the ' +
      'phone’s own code.',
  ),
  message: noted(v.string(), 'A sentence for people; its wording may change.'),
})

export const MessageResource = v.object({
  messageId: noted(MessageId, 'The message, `msg_…`.'),
  status: noted(v.picklist(MESSAGE_STATUSES), 'The current state.'),
  kind: noted(
    v.picklist(MESSAGE_KINDS),
    'The source of the message: sms (an API call), 2fa (a one-time code), webhook (an alert) or drill.',
  ),
  phoneNumber: noted(
    v.nullable(SentNumber),
    'E.164: + and 2 to 15 digits; of a short code its digits; null: retention has removed it.',
  ),
  message: noted(
    v.nullable(v.string()),
    'The text; a one-time code in it is masked. Null: retention has removed it.',
  ),
  deviceId: noted(
    v.nullable(DeviceId),
    'The phone that sends or sent the message; null: none has been chosen yet.',
  ),
  deviceGroupId: noted(v.nullable(v.string()), 'The group of phones that its caller named; null: none.'),
  pretend: noted(
    v.boolean(),
    'Whether the phone is or was a pretend phone (driver `log`), which prints texts and sends none.',
  ),
  webhookId: noted(
    v.nullable(WebhookId),
    'The webhook whose alert this is; null: the message is not an alert.',
  ),
  guess: noted(v.boolean(), 'Whether Roost worded the alert by a guess, because it knows no such sender.'),
  segments: noted(
    v.pipe(v.number(), v.integer(), v.minValue(1)),
    'Number of SMS segments in which the network sends the text.',
  ),
  encoding: noted(v.picklist(ENCODINGS), 'One segment holds 160 characters in GSM-7 and 70 in UCS-2.'),
  createdAt: noted(Instant, 'Time of creation.'),
  sendAt: noted(
    v.nullable(Instant),
    'When it may be sent at the earliest, as its caller asked; null: at once.',
  ),
  sentAt: noted(v.nullable(Instant), 'When the phone had sent all segments; null: it has not.'),
  deliveredAt: noted(v.nullable(Instant), 'When the network reported delivery; null: no report came.'),
  expiresAt: noted(
    Instant,
    'When the time to live ends. A message that no phone is sending then fails with EXPIRED.',
  ),
  failure: noted(v.nullable(FailureResource), 'Why the message failed; null: it has not failed.'),
  timeline: noted(
    v.array(
      v.object({
        status: noted(v.picklist(MESSAGE_STATUSES), 'A status that the message reached.'),
        at: noted(Instant, 'When the message reached this status.'),
        deviceId: noted(v.optional(DeviceId), 'For `sending`: the phone of this try, where it is known.'),
      }),
    ),
    'Each status with the time when it was reached, oldest first.',
  ),
})
export type MessageResource = v.InferOutput<typeof MessageResource>

export const ForecastResource = v.object({
  waitsFor: noted(
    v.picklist(['nothing', 'time', 'retry', 'phone', 'any-phone', 'turn', 'home-sim']),
    'nothing: the message is final. time: its `sendAt`. retry: the pause after a failure. phone: one has ' +
      'it. any-phone: no phone can send it now. turn: its turn on a phone. home-sim: the same, although ' +
      'another phone is idle that has no SIM of the recipient’s country.',
  ),
  deviceId: noted(v.nullable(DeviceId), 'The phone whose queue holds it, or that has it; null: none.'),
  before: noted(v.pipe(v.number(), v.integer()), 'How many messages leave before it.'),
  leavesAt: noted(
    v.nullable(Instant),
    'When it leaves at the pace of its phone, if nothing more urgent comes; null: nobody can tell.',
  ),
})
export type ForecastResource = v.InferOutput<typeof ForecastResource>

function isWellFormed(text: string): boolean {
  return text.isWellFormed()
}
