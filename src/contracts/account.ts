/** Accounts, keys and usage as the API and the command line give them. */
import * as v from 'valibot'
import { Instant } from '#contracts/primitives.ts'

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
  /** The last four characters of the key. */
  hint: v.string(),
  createdAt: Instant,
  revokedAt: v.nullable(Instant),
})
export type KeyResource = v.InferOutput<typeof KeyResource>
