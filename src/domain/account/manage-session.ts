import type { AccountResource } from '#contracts/account.ts'
import { SESSION_IDLE_MS, SESSION_LIFE_MS, SESSIONS_PER_ACCOUNT_MAX } from '#contracts/bounds.ts'
import type { CommandInput, CommandOutput } from '#contracts/commands.ts'
import { describeAccount } from '#domain/account/manage-account.ts'
import { sessionEnd } from '#domain/account/session.ts'
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
  const account = accounts.find(tx, input.accountId)
  if (account === undefined || account.tokenVersion !== input.tokenVersion)
    throw new Problem('UNAUTHORIZED', 'the password was changed just now: log in again')
  const cookie = source.secret('')
  const half = source.secret('')
  const session = {
    id: source.id('ses_', now.wallMs),
    accountId: account.id,
    createdAt: now.wallMs,
    usedAt: now.wallMs,
    address: input.address,
    browser: input.browser,
  }
  sessions.insertSession(tx, { ...session, cookieHash: source.hash(cookie), halfHash: source.hash(half) })
  sessions.trimSessions(tx, {
    accountId: account.id,
    createdBefore: now.wallMs - SESSION_LIFE_MS,
    usedBefore: now.wallMs - SESSION_IDLE_MS,
    kept: SESSIONS_PER_ACCOUNT_MAX,
  })
  world.effects.push({ kind: 'credentials' })
  const { email, plan } = account
  return { id: session.id, account: { email, plan }, expiresAt: instant(sessionEnd(session)), cookie, half }
}

/** @throws Problem NOT_FOUND: no such session, or another account's */
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
 * Changes the e-mail address or the password of the account. A new password ends every token and every other
 * session.
 *
 * @throws Problem CONFLICT if another account has the address; UNAUTHORIZED if the password changed meanwhile
 */
export function changeAccount(world: World, input: CommandInput<'account.change'>): AccountResource {
  const { accounts, credentials, sessions, tx } = world
  const account = accounts.find(tx, input.accountId)
  if (account === undefined || account.tokenVersion !== input.tokenVersion)
    throw new Problem('UNAUTHORIZED', 'the password was changed just now: log in again')
  const { email, passwordHash } = input
  const other = email === null ? undefined : accounts.findByEmail(tx, email)
  if (other !== undefined && other.id !== account.id)
    throw new Problem('CONFLICT', `an account with the e-mail address ${email} already exists`)
  if (email !== null) credentials.setEmail(tx, account.id, email)
  if (passwordHash !== null) {
    accounts.setPasswordHash(tx, account.id, passwordHash)
    accounts.endTokens(tx, account.id)
    sessions.removeOthers(tx, { accountId: account.id, id: input.sessionId })
  }
  accounts.clearCache()
  world.effects.push({ kind: 'credentials' })
  return describeAccount({ ...account, ...(email !== null && { email }) })
}
