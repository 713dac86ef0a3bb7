import type { AcceptMessage } from '#contracts/commands.ts'
import { segmentsOf } from '#domain/message/segments.ts'

type Fields = Omit<AcceptMessage, 'idempotency'>
type Needed = Pick<Fields, 'accountId' | 'phoneNumber' | 'country' | 'text'>

/** A text that the gateway itself sends: what its maker does not say is as for a caller who said nothing. */
export function plainText(chosen: Needed & Partial<Fields>): Fields {
  return {
    test: false,
    kind: 'sms',
    ...segmentsOf(chosen.text),
    deviceId: null,
    ttlMs: null,
    sendAt: null,
    priority: 'normal',
    simSlot: null,
    queueIfOffline: true,
    notificationUrl: null,
    despiteOptOut: false,
    ...chosen,
  }
}
