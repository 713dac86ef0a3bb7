import type { AccountResource } from '#contracts/account.ts'
import { ACCOUNT_BOUNDS } from '#contracts/account-bounds.ts'
import { SESSION_IDLE_MS, SESSION_LIFE_MS } from '#contracts/bounds.ts'
import type { CommandInput, CommandOutput } from '#contracts/commands.ts'
import { describeLogin } from '#domain/account/manage-account.ts'
import { endLogins, nameAccount, refuseTakenFor } from '#domain/account/manage-user.ts'
import { existingAccount } from '#domain/account/plan-of.ts'
import { sessionEnd } from '#domain/account/session.ts'
import type { User } from '#domain/account/user.ts'
import { notFound, Problem } from '#domain/problem.ts'
import { instant } from '#domain/time.ts'
import type { World } from '#domain/world.ts'

/**
 * Logs a person in. Only this answer contains the two halves of the session's secret; the database keeps
 * their hashes.
 *
 * @throws Problem UNAUTHORIZED when the password changed after it was compared
 */
export function addSession(world: World, input: CommandInput<'session.open'>): CommandOutput<'session.open'> {
  const { accounts, sessions, source, now, tx } = world
  const user = loggedIn(world, input)
  const account = existingAccount({ accounts, tx }, user.accountId)
  const cookie = source.secret('')
  const half = source.secret('')
  const session = {
    id: source.id('ses_', now.wallMs),
    accountId: account.id,
    userId: user.id,
    createdAt: now.wallMs,
    usedAt: now.wallMs,
    address: input.address,
    browser: input.browser,
  }
  sessions.insertSession(tx, { ...session, cookieHash: source.hash(cookie), halfHash: source.hash(half) })
  sessions.trimSessions(tx, {
    userId: user.id,
    createdBefore: now.wallMs - SESSION_LIFE_MS,
    usedBefore: now.wallMs - SESSION_IDLE_MS,
    kept: ACCOUNT_BOUNDS.sessionsOfUser.most,
  })
  world.effects.push({ kind: 'credentials' })
  const { email, role } = user
  const shown = { email, plan: account.plan, role }
  return { id: session.id, account: shown, expiresAt: instant(sessionEnd(session)), cookie, half }
}

/** @throws Problem NOT_FOUND: no such session, or another user's */
export function endSession(world: World, input: CommandInput<'session.end'>): { readonly id: string } {
  if (!world.sessions.removeSession(world.tx, input)) throw notFound('session')
  world.effects.push({ kind: 'credentials' })
  return { id: input.id }
}

/** Extends a session that is in use. */
export function touchSession(world: World, { id }: CommandInput<'session.touch'>): null {
  world.sessions.touchSession(world.tx, id, world.now.wallMs)
  world.effects.push({ kind: 'credentials' })
  return null
}

/**
 * Changes the e-mail address or the password of the caller's login. A new password ends every token and every
 * other session of the user.
 *
 * @throws Problem CONFLICT if another login has the address; UNAUTHORIZED if the password changed meanwhile
 */
export function changeAccount(world: World, input: CommandInput<'account.change'>): AccountResource {
  const before = loggedIn(world, input)
  const { email, passwordHash } = input
  if (email !== null) refuseTakenFor(world, before.accountId, { email, userId: before.id })
  const user = { ...before, email: email ?? before.email }
  if (passwordHash === null) world.users.saveUser(world.tx, user)
  else endLogins(world, { ...user, passwordHash }, input.sessionId)
  nameAccount(world, user.accountId)
  world.effects.push({ kind: 'credentials' })
  return describeLogin(world, user)
}

/** The user whose password was compared. @throws Problem UNAUTHORIZED if its logins ended since */
function loggedIn(world: World, { userId, tokenVersion }: LoginAt): User {
  const user = world.users.findUser(userId)
  if (user === undefined || user.disabled || user.tokenVersion !== tokenVersion)
    throw new Problem('UNAUTHORIZED', 'the password was changed just now: log in again')
  return user
}

type LoginAt = Pick<CommandInput<'session.open'>, 'userId' | 'tokenVersion'>
