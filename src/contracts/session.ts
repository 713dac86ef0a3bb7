/** Sessions: how people log in with a browser. */
import * as v from 'valibot'
import { EmailInput, LoginRequest, PasswordInput } from '#contracts/account.ts'
import { Instant } from '#contracts/primitives.ts'

const SessionAccount = v.object({ email: v.string(), plan: v.string() })

/** Who is logged in. */
export const SessionResource = v.object({
  id: v.string(),
  account: SessionAccount,
  expiresAt: Instant,
})
export type SessionResource = v.InferOutput<typeof SessionResource>

/** The answer to a log-in: the half that the page keeps; the other half is in the cookie. */
export const OpenedSessionResource = v.object({ ...SessionResource.entries, half: v.string() })
export type OpenedSessionResource = v.InferOutput<typeof OpenedSessionResource>

/** One of the places where the account is logged in. */
export const ListedSessionResource = v.object({
  id: v.string(),
  createdAt: Instant,
  lastUsedAt: Instant,
  address: v.string(),
  browser: v.string(),
  current: v.boolean(),
})
export type ListedSessionResource = v.InferOutput<typeof ListedSessionResource>

export const EndedSessionResource = v.object({ id: v.string() })

export const ChangeAccountRequest = v.object({
  email: v.optional(EmailInput),
  password: v.optional(PasswordInput),
  currentPassword: LoginRequest.entries.password,
})
