import { CODE_PLACEHOLDER } from '#contracts/two-factor.ts'
import { withDrillCode } from '#domain/drill/drill-text.ts'
import type { Message } from '#domain/message/message.ts'
import type { World } from '#domain/world.ts'

/** The template with the code in every placeholder. */
export function fillCodeTemplate(template: string, code: string): string {
  return template.replaceAll(CODE_PLACEHOLDER, code)
}

/**
 * Replaces every occurrence of the code in the text by asterisks. This includes occurrences in the template
 * itself and overlapping ones, because each would reveal the code. Length, alphabet and segments stay the
 * same.
 */
export function maskCode(text: string, code: string): string {
  let masked = ''
  let hiddenUntil = 0
  for (let i = 0; i < text.length; i++) {
    if (text.startsWith(code, i)) hiddenUntil = i + code.length
    masked += i < hiddenUntil ? '*' : text[i]
  }
  return masked
}

/**
 * The text for the phone. A code has a text stored for it alone. For other messages, and for a code without a
 * stored row, it is the text of the message.
 */
export function textToSend(world: Pick<World, 'twoFactor' | 'tx' | 'drills'>, message: Message): string {
  if (message.kind === 'drill')
    return withDrillCode(message.text, world.drills.findByMessage(message.id)?.code ?? '')
  if (message.kind !== '2fa') return message.text
  const text = world.twoFactor.textOf(world.tx, message.id)
  if (text === null) throw new Error(`open message ${message.id} has lost the text of its code`)
  return text ?? message.text
}
