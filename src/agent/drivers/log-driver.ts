import type { Driver, Order, Outcome } from '#agent/drivers/driver.ts'

/** For tests: prints each message as one JSON line and reports it as sent. */
export function logDriver(print: (line: string) => void): Driver {
  return {
    async send(order: Order): Promise<Outcome> {
      const { messageId, attempt, phoneNumber, message, segments, simSlot } = order
      print(JSON.stringify({ messageId, attempt, phoneNumber, message, segments, simSlot }))
      return { state: 'sent' }
    },
  }
}
