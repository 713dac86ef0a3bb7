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
