import { REVOKED_KEPT_MS } from '#contracts/bounds.ts'
import type { CommandInput } from '#contracts/commands.ts'
import type { World } from '#domain/world.ts'

/** From the commit on no thread takes this token; the revocation outlives it, whatever a clock does. */
export function revokeToken(world: World, token: CommandInput<'account.revoke-token'>): null {
  const { credentials, tx, now } = world
  credentials.forgetRevoked(tx, now.wallMs - REVOKED_KEPT_MS)
  credentials.revokeToken(tx, token)
  return null
}
