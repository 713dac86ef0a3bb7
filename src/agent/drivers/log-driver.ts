import type { Driver, Order, Outcome } from '#agent/drivers/driver.ts'

/**
 * For tests: prints each message instead of sending it, and reports it as sent. On a terminal a line is for
 * people; anywhere else it is JSON for programs.
 */
export function logDriver(print: (line: string) => void, isTerminal: boolean): Driver {
  const lineOf = isTerminal ? textLine : jsonLine
  return {
    async send(order: Order): Promise<Outcome> {
      print(lineOf(order))
      return { state: 'sent' }
    },
  }
}

function jsonLine({ messageId, attempt, phoneNumber, message, segments, simSlot }: Order): string {
  return JSON.stringify({ messageId, attempt, phoneNumber, message, segments, simSlot })
}

function textLine({ phoneNumber, message }: Order): string {
  return `Text to ${phoneNumber}: ${printable(message)}`
}

/**
 * Escapes line breaks and control characters: the text must not control the terminal. The zero-width joiner
 * (U+200D) stays, because many emoji consist of several characters that it joins.
 */
function printable(text: string): string {
  return text.replace(/[[\p{Cc}\p{Cf}]--\u200d]/gv, character =>
    character === '\n' ? '\\n' : `\\u{${character.codePointAt(0)?.toString(16)}}`,
  )
}
