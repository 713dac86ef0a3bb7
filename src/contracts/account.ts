/** Accounts, keys and usage as the API and the command line show and accept them. */
import * as v from 'valibot'
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from '#contracts/bounds.ts'
import { noted } from '#contracts/noted.ts'
import { Instant, Name } from '#contracts/primitives.ts'

const count = v.pipe(v.number(), v.integer(), v.minValue(0))
/** -1: unlimited. */
const limit = v.pipe(v.number(), v.integer(), v.minValue(-1))
const day = v.pipe(v.string(), v.regex(/^\d{4}-\d\d-\d\d$/))

export const UsageResource = v.object({
  plan: noted(v.string(), 'Name of the plan.'),
  billing: noted(
    v.object({
      currentPeriodStart: noted(day, 'First day of the period, YYYY-MM-DD.'),
      currentPeriodEnd: noted(day, 'Last day of the period, YYYY-MM-DD.'),
    }),
    'The billing period: the calendar month, UTC.',
  ),
  usage: noted(
    v.object({
      smsToday: noted(count, 'Messages of this UTC day, one for each recipient.'),
      smsThisMonth: noted(count, 'Messages accepted this month.'),
      '2faToday': noted(count, 'One-time codes of this UTC day.'),
    }),
    'The counters.',
  ),
  limits: noted(
    v.object({
      smsPerDay: noted(limit, 'Messages per UTC day; -1: unlimited.'),
      '2faPerDay': noted(limit, 'One-time codes per UTC day; -1: unlimited.'),
      devices: noted(limit, 'Phones that may be paired; -1: unlimited.'),
    }),
    'What the plan allows; -1: unlimited.',
  ),
})
export type UsageResource = v.InferOutput<typeof UsageResource>

export const EmailInput = v.pipe(
  v.string('must be text'),
  v.trim(),
  v.toLowerCase(),
  v.maxLength(254, 'must be at most 254 characters'),
  v.regex(/^[^\s@\p{Cc}\p{Cf}]+@[^\s@\p{Cc}\p{Cf}]+$/u, 'must be an e-mail address'),
)

export const AccountResource = v.object({
  accountId: noted(v.string(), 'The identifier, `acc_…`.'),
  email: noted(v.string(), 'E-mail address; upper and lower case are the same.'),
  plan: noted(v.string(), 'Name of the plan.'),
  createdAt: noted(Instant, 'Time of creation.'),
})
export type AccountResource = v.InferOutput<typeof AccountResource>

export const KeyResource = v.object({
  id: noted(v.string(), 'The identifier; identifiers sort by time of creation.'),
  accountId: noted(v.string(), 'The account that owns this object.'),
  name: noted(v.string(), 'A label for people, 1 to 80 characters on one line.'),
  test: noted(v.boolean(), 'True: sandbox. Nothing reaches a phone.'),
  cleanText: noted(
    v.boolean(),
    'Whether emoji and markup are removed from texts sent with this key; meant for monitoring programs.',
  ),
  hint: noted(v.string(), 'The last four characters of the key.'),
  createdAt: noted(Instant, 'Time of creation.'),
  lastUsedAt: noted(v.nullable(Instant), 'Time of the last use, accurate to ten minutes; null: never used.'),
  revokedAt: noted(v.nullable(Instant), 'When the key was revoked; null: it is valid.'),
})
export type KeyResource = v.InferOutput<typeof KeyResource>

/** A new password. Logins use `LoginRequest`, which accepts shorter ones. */
export const PasswordInput = v.pipe(
  v.string('must be text'),
  v.minLength(PASSWORD_LENGTH_MIN, `must have at least ${PASSWORD_LENGTH_MIN} characters`),
  v.maxLength(PASSWORD_LENGTH_MAX, `must have at most ${PASSWORD_LENGTH_MAX} characters`),
)

export const SetupRequest = v.object({
  /** The token in the setup link. */
  token: v.pipe(v.string('must be text'), v.maxLength(128, 'must have at most 128 characters')),
  email: EmailInput,
  password: PasswordInput,
})
export type SetupRequest = v.InferOutput<typeof SetupRequest>

export const LoginRequest = v.object({
  email: noted(EmailInput, 'E-mail address; upper and lower case are the same.'),
  password: noted(
    v.pipe(
      v.string('must be text'),
      v.minLength(1, 'must not be empty'),
      v.maxLength(PASSWORD_LENGTH_MAX, `must have at most ${PASSWORD_LENGTH_MAX} characters`),
    ),
    'At most 1024 characters.',
  ),
})
export type LoginRequest = v.InferOutput<typeof LoginRequest>

export const LoginResource = v.object({
  token: noted(v.string(), 'The account token (JWT). Shown only in this answer.'),
  tokenType: noted(v.literal('Bearer'), 'Send the token as `Authorization: Bearer …`.'),
  expiresAt: noted(Instant, 'When the validity ends.'),
})
export type LoginResource = v.InferOutput<typeof LoginResource>

export const LogoutResource = v.object({ revoked: noted(v.literal(true), 'Always true.') })

export const CreateKeyRequest = v.object({
  name: noted(Name, 'A label for people, 1 to 80 characters on one line.'),
  test: noted(
    v.optional(v.boolean('must be true or false'), false),
    'True: sandbox. Nothing reaches a phone.',
  ),
  cleanText: noted(
    v.optional(v.boolean('must be true or false'), false),
    'Whether emoji and markup are removed from texts sent with this key; meant for monitoring programs.',
  ),
})
export type CreateKeyRequest = v.InferOutput<typeof CreateKeyRequest>

/** A new key. Only this answer contains the key itself. */
export const CreatedKeyResource = v.object({
  ...KeyResource.entries,
  key: noted(v.string(), 'The API key. Shown only in this answer.'),
})
export type CreatedKeyResource = v.InferOutput<typeof CreatedKeyResource>

export const RevokedKeyResource = v.object({
  id: noted(v.string(), 'The identifier; identifiers sort by time of creation.'),
})
