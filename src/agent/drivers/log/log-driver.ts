import type { Driver, Order, Outcome } from '#agent/drivers/driver.ts'
import { printableJson, printableLine } from '#contracts/printable.ts'

/**
 * For tests: prints each message instead of sending it, and reports it as sent. It prints rings, too. On a
 * terminal a line is for people; anywhere else it is JSON for programs.
 */
export function logDriver(print: (line: string) => void, isTerminal: boolean): Driver {
  const lineOf = isTerminal ? textLine : jsonLine
  return {
    async send(order: Order): Promise<Outcome> {
      print(lineOf(order))
      return { state: 'sent' }
    },
    async ring(phoneNumber, seconds) {
      const line = `would ring ${phoneNumber} for ${seconds} s`
      print(isTerminal ? line : printableJson({ ring: line }))
      return 'rang'
    },
  }
}

function jsonLine({ messageId, attempt, phoneNumber, message, segments, simSlot }: Order): string {
  return printableJson({ messageId, attempt, phoneNumber, message, segments, simSlot })
}

function textLine({ phoneNumber, message }: Order): string {
  return `Text to ${phoneNumber}: ${printableLine(message)}`
}
