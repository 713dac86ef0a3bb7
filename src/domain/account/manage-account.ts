import type { AccountResource } from '#contracts/account.ts'
import type { CommandInput } from '#contracts/commands.ts'
import type { Account } from '#domain/account/account-store.ts'
import { endLogins, refuseTaken } from '#domain/account/manage-user.ts'
import { existingAccount } from '#domain/account/plan-of.ts'
import { firstUserOf, type User } from '#domain/account/user.ts'
import { invalid, notFound } from '#domain/problem.ts'
import { instant } from '#domain/time.ts'
import type { World } from '#domain/world.ts'

/** A revoked token is kept for a year after its end: a clock that jumps ahead and back cannot revive it. */
export const REVOKED_KEPT_MS = 31_622_400_000

/** @throws Problem CONFLICT if another account has the e-mail address; INVALID_REQUEST for an unknown plan */
export function createAccount(world: World, input: CommandInput<'account.create'>): AccountResource {
  const { accounts, users, tx, now, source } = world
  const plan = input.plan ?? world.settings.defaultPlan
  checkPlan(world, plan)
  refuseTaken(world, input.email)
  const account = { id: source.id('acc_', now.wallMs), email: input.email, plan, createdAt: now.wallMs }
  accounts.insert(tx, account)
  users.saveUser(tx, firstUserOf(account, input.passwordHash))
  return describeAccount(account)
}

/** The new plan applies from the next request on. Each owner's e-mail address stands for the account. */
export function setPlan(world: World, input: CommandInput<'account.set-plan'>): AccountResource {
  const user = world.users.findUserByEmail(input.email)
  const account =
    user?.role === 'owner' ? existingAccount(world, user.accountId) : accountByEmail(world, input.email)
  checkPlan(world, input.plan)
  world.accounts.setPlan(world.tx, account.id, input.plan)
  world.effects.push({ kind: 'credentials' })
  return describeAccount({ ...account, plan: input.plan })
}

/**
 * Sets the password of the login with this e-mail address. Ends every token and every session of it, because
 * people often change a password after an attack. Keys stay valid; the owner revokes them one by one.
 */
export function setPassword(world: World, input: CommandInput<'account.set-password'>): AccountResource {
  const user = world.users.findUserByEmail(input.email)
  if (user === undefined) throw notFound(`account: ${input.email}`)
  endLogins(world, { ...user, passwordHash: input.passwordHash, invitation: null })
  return describeLogin(world, user)
}

/** @throws Problem NOT_FOUND */
export function findAccount(world: World, { email }: CommandInput<'account.find'>) {
  const account = accountByEmail(world, email)
  const user = world.users.findUserByEmail(account.email)
  if (user === undefined) throw new Error(`no user has the e-mail address of ${account.id}`)
  return { ...describeAccount(account), userId: user.id, tokenVersion: user.tokenVersion }
}

/** @throws Problem NOT_FOUND */
export function accountByEmail(world: Pick<World, 'accounts' | 'tx'>, email: string): Account {
  const account = world.accounts.findByEmail(world.tx, email)
  if (account === undefined) throw notFound(`account: ${email}`)
  return account
}

export function describeAccount(account: Account): AccountResource {
  const { id, email, plan, createdAt } = account
  return { accountId: id, email, plan, createdAt: instant(createdAt) }
}

/** An account as one of its users sees it: with the e-mail address of that login. */
export function describeLogin(world: Pick<World, 'accounts' | 'tx'>, user: User): AccountResource {
  return { ...describeAccount(existingAccount(world, user.accountId)), email: user.email }
}

/**
 * Revokes a token: after the commit no thread accepts it. The revocation is kept for a year after the token
 * has expired, so that a clock that is set back cannot make the token valid again.
 */
export function revokeToken(world: World, token: CommandInput<'account.revoke-token'>): boolean {
  const { credentials, tx, now } = world
  credentials.forgetRevoked(tx, now.wallMs - REVOKED_KEPT_MS)
  return credentials.revokeToken(tx, token)
}

function checkPlan(world: Pick<World, 'settings'>, plan: string): void {
  if (world.settings.plan(plan) !== undefined) return
  const message = `must be one of ${world.settings.planNames.join(', ')}`
  throw invalid([{ path: 'plan', message }])
}
