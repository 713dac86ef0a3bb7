import type { Message } from '#domain/message/message.ts'
import { closeCode } from '#domain/two-factor/close-code.ts'
import type { World } from '#domain/world.ts'

/** A code's message is final: its text is wiped. One that was cancelled takes its code with it. */
export function closeCodeMessage(world: World, message: Message): void {
  world.twoFactor.wipeText(world.tx, message.id)
  if (message.failure?.code === 'CANCELLED') closeCode(world, message.id, 'superseded')
}
