/** Sessions, through which people use the console in a browser. */
import * as v from 'valibot'
import { EmailInput, LoginRequest, PasswordInput } from '#contracts/account.ts'
import { noted } from '#contracts/noted.ts'
import { Instant } from '#contracts/primitives.ts'
import { UserResource } from '#contracts/user.ts'

const SessionAccount = v.object({
  email: noted(v.string(), 'E-mail address; upper and lower case are the same.'),
  plan: noted(v.string(), 'Name of the plan.'),
  role: noted(UserResource.entries.role, 'What the login may do.'),
})

/** The current session and its account. */
export const SessionResource = v.object({
  id: noted(v.string(), 'The identifier; identifiers sort by time of creation.'),
  account: noted(SessionAccount, 'The account of the session.'),
  expiresAt: noted(Instant, 'When the validity ends.'),
})
export type SessionResource = v.InferOutput<typeof SessionResource>

/**
 * The answer to a login. `half`: the part of the secret that the page keeps; the cookie has the other part.
 */
export const OpenedSessionResource = v.object({
  ...SessionResource.entries,
  half: noted(
    v.string(),
    'The part of the session’s secret that the page sends in the header X-Roost-Console. Shown only in ' +
      'this answer.',
  ),
})
export type OpenedSessionResource = v.InferOutput<typeof OpenedSessionResource>

/** One session in the list of an account. */
export const ListedSessionResource = v.object({
  id: noted(v.string(), 'The identifier; identifiers sort by time of creation.'),
  createdAt: noted(Instant, 'Time of creation.'),
  lastUsedAt: noted(Instant, 'Time of the last use, accurate to a day.'),
  address: noted(v.string(), 'The client’s IP address.'),
  browser: noted(v.string(), 'Browser and operating system, read from the User-Agent header.'),
  current: noted(v.boolean(), 'Whether this request uses this session.'),
})
export type ListedSessionResource = v.InferOutput<typeof ListedSessionResource>

export const EndedSessionResource = v.object({
  id: noted(v.string(), 'The identifier; identifiers sort by time of creation.'),
})

export const ChangeAccountRequest = v.object({
  email: noted(v.optional(EmailInput), 'E-mail address; upper and lower case are the same.'),
  password: noted(v.optional(PasswordInput), 'The new password, 10 to 1024 characters.'),
  currentPassword: noted(LoginRequest.entries.password, 'The current password.'),
})
