/** One-time codes in the API: issuing and verifying them. */
import * as v from 'valibot'
import { MESSAGE_ID_LENGTH_MAX, TWO_FACTOR_TEMPLATE_LENGTH_MAX as TEMPLATE_MAX } from '#contracts/bounds.ts'
import { DeviceGroupField } from '#contracts/device-group.ts'
import { PhoneNumberInput } from '#contracts/message.ts'
import { noted } from '#contracts/noted.ts'
import { E164, Instant, MESSAGE_STATUSES, MessageId, seconds } from '#contracts/primitives.ts'

const CODE_VALIDITY_S_DEFAULT = 300
const CODE_VALIDITY_S_MIN = 30
const CODE_VALIDITY_S_MAX = 3600

export const CODE_PLACEHOLDER = '{code}'
export const TEMPLATE_DEFAULT = `Your verification code is ${CODE_PLACEHOLDER}`

export const Code = v.pipe(
  v.string('must be text'),
  v.regex(/^[A-Za-z0-9]{4,10}$/, 'must be 4 to 10 letters A-Z, a-z or digits'),
)

/**
 * The text cannot exceed `MESSAGE_LENGTH_MAX`: 80 placeholders with the longest code make 800 characters.
 */
export const CodeTemplate = v.pipe(
  v.string('must be text'),
  v.maxLength(TEMPLATE_MAX, `must be at most ${TEMPLATE_MAX} characters`),
  v.includes(CODE_PLACEHOLDER, `must contain ${CODE_PLACEHOLDER}, the placeholder for the code`),
  v.regex(/^[^\0]*$/, 'must not contain the character U+0000'),
  v.check(text => text.isWellFormed(), 'must not contain half of a surrogate pair'),
)

export const IssueCodeRequest = v.object({
  phoneNumber: noted(PhoneNumberInput, 'The number with + and the country code (E.164).'),
  code: noted(v.nullish(Code, null), '4 to 10 letters A-Z, a-z or digits; default: six random digits.'),
  template: noted(
    v.nullish(CodeTemplate, TEMPLATE_DEFAULT),
    'Text of at most 480 characters in which `{code}` stands for the code.',
  ),
  expiresIn: noted(
    v.nullish(seconds(CODE_VALIDITY_S_MIN, CODE_VALIDITY_S_MAX), CODE_VALIDITY_S_DEFAULT),
    'Validity in seconds, 30 to 3600.',
  ),
  deviceId: noted(
    v.nullish(v.string('must be text'), null),
    'The phone that must send the code; null: any phone.',
  ),
  deviceGroupId: DeviceGroupField,
})
export type IssueCodeRequest = v.InferOutput<typeof IssueCodeRequest>

/** The answer to `POST /sms/2fa`. It does not contain the code, which only the text message holds. */
export const IssuedCodeResource = v.object({
  messageId: noted(MessageId, 'The message, `msg_…`.'),
  status: noted(v.picklist(MESSAGE_STATUSES), 'The current state.'),
  phoneNumber: noted(E164, 'E.164: + and 2 to 15 digits.'),
  createdAt: noted(Instant, 'Time of creation.'),
  expiresAt: noted(Instant, 'When the validity ends.'),
})
export type IssuedCodeResource = v.InferOutput<typeof IssuedCodeResource>

/** The route checks that exactly one of `phoneNumber` and `messageId` is given. */
export const VerifyCodeRequest = v.object({
  phoneNumber: noted(
    v.nullish(PhoneNumberInput, null),
    'The number that got the code; give either this or `messageId`.',
  ),
  messageId: noted(
    v.nullish(
      v.pipe(
        v.string('must be text'),
        v.minLength(1, 'must not be empty'),
        v.maxLength(MESSAGE_ID_LENGTH_MAX, `must be at most ${MESSAGE_ID_LENGTH_MAX} characters`),
      ),
      null,
    ),
    'The message with the code; give either this or `phoneNumber`.',
  ),
  code: noted(Code, 'The code that the person typed.'),
})
export type VerifyCodeRequest = v.InferOutput<typeof VerifyCodeRequest>

export const VERIFY_REASONS = [
  'WRONG_CODE',
  'EXPIRED',
  'NOT_FOUND',
  'ALREADY_USED',
  'TOO_MANY_ATTEMPTS',
] as const
export type VerifyReason = (typeof VERIFY_REASONS)[number]

/** The answer to `POST /sms/2fa/verify`, for right and wrong codes alike. */
export const VerifiedCodeResource = v.object({
  verified: noted(v.boolean(), 'Whether the code is right. A code can be verified only once.'),
  reason: noted(
    v.nullable(v.picklist(VERIFY_REASONS)),
    'Why the code was not accepted; null if `verified` is true.',
  ),
})
export type VerifiedCodeResource = v.InferOutput<typeof VerifiedCodeResource>
