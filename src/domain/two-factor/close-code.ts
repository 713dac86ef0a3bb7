import type { Message } from '#domain/message/message.ts'
import type { CodeRecord, CodeState } from '#domain/two-factor/two-factor-store.ts'
import type { World } from '#domain/world.ts'

/** Closes an open code. A code that is already closed does not change. */
export function closeCode(
  world: World,
  messageId: string,
  state: Exclude<CodeState, 'open'>,
): CodeRecord | undefined {
  world.openCodes.delete(messageId)
  const record = world.twoFactor.find(world.tx, messageId)
  if (record?.state !== 'open') return record
  const closed = { ...record, state }
  world.twoFactor.save(world.tx, closed)
  return closed
}

/** Handles the end of a code's message: wipes its text. If the message was cancelled, its code ends, too. */
export function closeCodeMessage(world: World, message: Message): void {
  world.twoFactor.wipeText(world.tx, message.id)
  if (message.failure?.code === 'CANCELLED') closeCode(world, message.id, 'superseded')
}

/** Expires a code. The database records this, so that the code stays expired if the clock is set back. */
export function expireCode(world: World, messageId: string): void {
  const expiresAt = world.openCodes.expiresAt(messageId)
  if (expiresAt !== undefined && expiresAt <= world.now.monoMs) closeCode(world, messageId, 'expired')
}
