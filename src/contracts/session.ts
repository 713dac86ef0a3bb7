/** Sessions, through which people use the console in a browser. */
import * as v from 'valibot'
import { EmailInput, LoginRequest, PasswordInput } from '#contracts/account.ts'
import { Instant } from '#contracts/primitives.ts'

const SessionAccount = v.object({ email: v.string(), plan: v.string() })

/** The current session and its account. */
export const SessionResource = v.object({
  id: v.string(),
  account: SessionAccount,
  expiresAt: Instant,
})
export type SessionResource = v.InferOutput<typeof SessionResource>

/**
 * The answer to a login. `half`: the part of the secret that the page keeps; the cookie has the other part.
 */
export const OpenedSessionResource = v.object({ ...SessionResource.entries, half: v.string() })
export type OpenedSessionResource = v.InferOutput<typeof OpenedSessionResource>

/** One session in the list of an account. */
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
