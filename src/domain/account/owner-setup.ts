import type { AccountResource } from '#contracts/account.ts'
import type { CommandInput, CommandOutput } from '#contracts/commands.ts'
import { OWNER_EMAIL } from '#domain/account/first-start.ts'
import { describeLogin } from '#domain/account/manage-account.ts'
import { nameAccount, refuseTaken } from '#domain/account/manage-user.ts'
import { notFound } from '#domain/problem.ts'
import { instant } from '#domain/time.ts'
import type { World } from '#domain/world.ts'

/** A setup link is valid for a day, time enough to open it at home on another computer. */
export const SETUP_TOKEN_VALID_MS = 86_400_000

/** Makes a setup token, which replaces an earlier one. Null: the owner has a password already. */
export function createSetupToken(world: World): CommandOutput<'setup.create-token'> {
  const { users, credentials, tx, source, now } = world
  const owner = users.findUserByEmail(OWNER_EMAIL)
  if (owner === undefined || owner.passwordHash !== null) return null
  const token = source.secret('stp_')
  const expiresAt = now.wallMs + SETUP_TOKEN_VALID_MS
  credentials.saveSetupToken(tx, { hash: source.hash(token), accountId: owner.accountId, expiresAt })
  return { token, expiresAt: instant(expiresAt) }
}

/**
 * Sets the e-mail address and the password of the owner's account, and removes the token.
 *
 * @throws Problem NOT_FOUND when the token is wrong, used or too old; CONFLICT when another account has the
 *   e-mail address
 */
export function completeSetup(world: World, input: CommandInput<'setup.complete'>): AccountResource {
  const { accounts, users, credentials, tx, source, now } = world
  const { token, email, passwordHash } = input
  const found = credentials.findSetupToken(tx, source.hash(token))
  const account = found && accounts.find(tx, found.accountId)
  const owner = account && users.findUserByEmail(account.email)
  if (owner === undefined || found === undefined || found.expiresAt <= now.wallMs)
    throw notFound('setup link')
  // Once a password is set in any way, all links are invalid.
  if (owner.passwordHash !== null) throw notFound('setup link')
  refuseTaken(world, email, owner.id)
  const user = { ...owner, email, passwordHash }
  users.saveUser(tx, user)
  nameAccount(world, user.accountId)
  credentials.removeSetupToken(tx)
  return describeLogin(world, user)
}
