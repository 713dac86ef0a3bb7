import type { AccountResource } from '#contracts/account.ts'
import type { CommandInput, CommandOutput } from '#contracts/commands.ts'
import { OWNER_EMAIL } from '#domain/account/first-start.ts'
import { describeAccount } from '#domain/account/manage-account.ts'
import { notFound, Problem } from '#domain/problem.ts'
import { instant } from '#domain/time.ts'
import type { World } from '#domain/world.ts'

/** A setup link is valid for a day, time enough to open it at home on another computer. */
export const SETUP_TOKEN_VALID_MS = 86_400_000

/** Makes a setup token, which replaces an earlier one. Null: the owner has a password already. */
export function createSetupToken(world: World): CommandOutput<'setup.create-token'> {
  const { accounts, credentials, tx, source, now } = world
  const owner = accounts.findByEmail(tx, OWNER_EMAIL)
  if (owner === undefined || credentials.hasPassword(tx, owner.id)) return null
  const token = source.secret('stp_')
  const expiresAt = now.wallMs + SETUP_TOKEN_VALID_MS
  credentials.saveSetupToken(tx, { hash: source.hash(token), accountId: owner.id, expiresAt })
  return { token, expiresAt: instant(expiresAt) }
}

/**
 * Sets the e-mail address and the password of the owner's account, and removes the token.
 *
 * @throws Problem NOT_FOUND when the token is wrong, used or too old; CONFLICT when another account has the
 *   e-mail address
 */
export function completeSetup(world: World, input: CommandInput<'setup.complete'>): AccountResource {
  const { accounts, credentials, tx, source, now } = world
  const { token, email, passwordHash } = input
  const found = credentials.findSetupToken(tx, source.hash(token))
  const owner = found && accounts.find(tx, found.accountId)
  if (owner === undefined || found === undefined || found.expiresAt <= now.wallMs)
    throw notFound('setup link')
  // Once a password is set in any way, all links are invalid.
  if (credentials.hasPassword(tx, owner.id)) throw notFound('setup link')
  const other = accounts.findByEmail(tx, email)
  if (other !== undefined && other.id !== owner.id)
    throw new Problem('CONFLICT', `an account with the e-mail address ${email} already exists`)
  credentials.setLogin(tx, owner.id, { email, passwordHash })
  accounts.clearCache()
  credentials.removeSetupToken(tx)
  return describeAccount({ ...owner, email })
}
