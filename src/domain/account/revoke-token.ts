import type { CommandInput } from '#contracts/commands.ts'
import type { World } from '#domain/world.ts'

/** From the commit on no thread takes this token; the revocation is kept as long as the token would live. */
export function revokeToken(world: World, token: CommandInput<'account.revoke-token'>): null {
  const { credentials, tx, now } = world
  credentials.forgetRevoked(tx, now.wallMs)
  credentials.revokeToken(tx, token)
  return null
}
