import type { Message } from '#domain/message/message.ts'
import type { CodeRecord, CodeState } from '#domain/two-factor/two-factor-store.ts'
import type { World } from '#domain/world.ts'

/** Ends an open code for ever; one that is over stays what it is. */
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

/** A code's message is final: its text is wiped. One that was cancelled takes its code with it. */
export function closeCodeMessage(world: World, message: Message): void {
  world.twoFactor.wipeText(world.tx, message.id)
  if (message.failure?.code === 'CANCELLED') closeCode(world, message.id, 'superseded')
}

/** The deadline of a code is there: on disk too, so that after a restart no clock brings it back. */
export function expireCode(world: World, messageId: string): void {
  const expiresAt = world.liveCodes.expiresAt(messageId)
  if (expiresAt !== undefined && expiresAt <= world.now.monoMs) closeCode(world, messageId, 'expired')
}
