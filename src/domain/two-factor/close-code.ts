import type { Message } from '#domain/message/message.ts'
import type { CodeRecord, CodeState } from '#domain/two-factor/two-factor-store.ts'
import type { World } from '#domain/world.ts'

/** Closes an open code for good. A code that is closed already does not change. */
export function closeCode(
  world: World,
  messageId: string,
  state: Exclude<CodeState, 'open'>,
): CodeRecord | undefined {
  world.liveCodes.delete(messageId)
  const record = world.twoFactor.find(world.tx, messageId)
  if (record?.state !== 'open') return record
  const closed = { ...record, state }
  world.twoFactor.save(world.tx, closed)
  return closed
}

/** A code's message is final: its text is wiped. If it was cancelled, its code ends too. */
export function closeCodeMessage(world: World, message: Message): void {
  world.twoFactor.wipeText(world.tx, message.id)
  if (message.failure?.code === 'CANCELLED') closeCode(world, message.id, 'superseded')
}

/** Expires a code. That is written to disk, so that it stays expired whatever the clock shows later. */
export function expireCode(world: World, messageId: string): void {
  const expiresAt = world.liveCodes.expiresAt(messageId)
  if (expiresAt !== undefined && expiresAt <= world.now.monoMs) closeCode(world, messageId, 'expired')
}
