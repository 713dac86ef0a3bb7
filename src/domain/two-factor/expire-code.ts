import { closeCode } from '#domain/two-factor/close-code.ts'
import type { World } from '#domain/world.ts'

/** The deadline of a code is there: on disk too, so that after a restart no clock brings it back. */
export function expireCode(world: World, messageId: string): void {
  const expiresAt = world.liveCodes.expiresAt(messageId)
  if (expiresAt !== undefined && expiresAt <= world.now.monoMs) closeCode(world, messageId, 'expired')
}
