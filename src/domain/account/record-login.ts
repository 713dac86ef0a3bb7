import { LOGIN_ADDRESSES_MAX } from '#contracts/bounds.ts'
import type { CommandInput } from '#contracts/commands.ts'
import { existingAccount } from '#domain/account/plan-of.ts'
import type { World } from '#domain/world.ts'

/**
 * Remembers that a login from this address succeeded.
 *
 * @throws Problem UNAUTHORIZED when the account was removed
 */
export function recordLogin(
  world: World,
  { accountId, address }: CommandInput<'account.record-login'>,
): null {
  const { credentials, tx, now } = world
  existingAccount(world, accountId)
  credentials.rememberAddress(tx, { accountId, address, at: now.wallMs })
  credentials.forgetAddresses(tx, accountId, LOGIN_ADDRESSES_MAX)
  return null
}
