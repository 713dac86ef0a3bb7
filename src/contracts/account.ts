/** Accounts, keys and usage as the API and the command line show and accept them. */
import * as v from 'valibot'
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from '#contracts/bounds.ts'
import { Instant, Name } from '#contracts/primitives.ts'

const count = v.pipe(v.number(), v.integer(), v.minValue(0))
/** -1: unlimited. */
const limit = v.pipe(v.number(), v.integer(), v.minValue(-1))
const day = v.pipe(v.string(), v.regex(/^\d{4}-\d\d-\d\d$/))

export const UsageResource = v.object({
  plan: v.string(),
  billing: v.object({ currentPeriodStart: day, currentPeriodEnd: day }),
  usage: v.object({ smsToday: count, smsThisMonth: count, '2faToday': count }),
  limits: v.object({ smsPerDay: limit, '2faPerDay': limit, devices: limit }),
})
export type UsageResource = v.InferOutput<typeof UsageResource>

export const EmailInput = v.pipe(
  v.string('must be text'),
  v.trim(),
  v.toLowerCase(),
  v.maxLength(254, 'must be at most 254 characters'),
  v.regex(/^[^\s@]+@[^\s@]+$/, 'must be an e-mail address'),
)

export const AccountResource = v.object({
  accountId: v.string(),
  email: v.string(),
  plan: v.string(),
  createdAt: Instant,
})
export type AccountResource = v.InferOutput<typeof AccountResource>

export const KeyResource = v.object({
  id: v.string(),
  accountId: v.string(),
  name: v.string(),
  test: v.boolean(),
  /** Whether emoji and markup are removed from texts sent with this key. */
  cleanText: v.boolean(),
  /** The last four characters of the key. */
  hint: v.string(),
  createdAt: Instant,
  /** Accurate to ten minutes; null: never used. */
  lastUsedAt: v.nullable(Instant),
  revokedAt: v.nullable(Instant),
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
  email: EmailInput,
  password: v.pipe(
    v.string('must be text'),
    v.minLength(1, 'must not be empty'),
    v.maxLength(PASSWORD_LENGTH_MAX, `must have at most ${PASSWORD_LENGTH_MAX} characters`),
  ),
})
export type LoginRequest = v.InferOutput<typeof LoginRequest>

export const LoginResource = v.object({
  /** An account token (JWT). */
  token: v.string(),
  tokenType: v.literal('Bearer'),
  expiresAt: Instant,
})
export type LoginResource = v.InferOutput<typeof LoginResource>

export const LogoutResource = v.object({ revoked: v.literal(true) })

export const CreateKeyRequest = v.object({
  name: Name,
  /** True makes a sandbox key: messages sent with it never reach a phone. */
  test: v.optional(v.boolean('must be true or false'), false),
  cleanText: v.optional(v.boolean('must be true or false'), false),
})
export type CreateKeyRequest = v.InferOutput<typeof CreateKeyRequest>

/** A new key. Only this answer contains the key itself. */
export const CreatedKeyResource = v.object({ ...KeyResource.entries, key: v.string() })
export type CreatedKeyResource = v.InferOutput<typeof CreatedKeyResource>

export const RevokedKeyResource = v.object({ id: v.string() })
