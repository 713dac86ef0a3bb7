import type { Message } from '#domain/message/message.ts'
import type { World } from '#domain/world.ts'

/** What a phone is to send: the text kept apart for a code that was issued, else the message's own. */
export function textToSend(world: World, message: Message): string {
  if (message.kind !== '2fa') return message.text
  const text = world.twoFactor.textOf(world.tx, message.id)
  if (text === null) throw new Error(`open message ${message.id} has lost the text of its code`)
  return text ?? message.text
}
