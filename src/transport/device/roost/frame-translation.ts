/** Translates frames of `roost.device.v1` to and from the protocol-independent news and orders. */
import { CLOSE, type GatewayFrame, type PhoneFrame } from '#contracts/device-frames.ts'
import type { CloseReason, PhoneNews, PhoneOrder } from '#contracts/phone-orders.ts'
import { instant, readPhoneTime } from '#domain/time.ts'

export const CLOSE_CODES: Readonly<Record<CloseReason, number>> = {
  removed: CLOSE.removed,
  superseded: CLOSE.superseded,
  'protocol-error': CLOSE.protocolError,
  flooding: CLOSE.flooding,
}

/** The news that a phone's frame contains. */
export function newsOf(frame: PhoneFrame): PhoneNews {
  switch (frame.type) {
    case 'hello': {
      const { protocol: _protocol, bootId: _bootId, ...about } = frame
      return { ...about, type: 'opened' }
    }
    case 'sync':
      return { type: 'journal', entries: frame.messages, more: frame.more }
    case 'report': {
      const { messageId, attempt, state, code, detail } = frame
      return { type: 'report', messageId, attempt, state, code, detail }
    }
    case 'received': {
      const { id, from, message, at, simSlot } = frame
      const sentAt = readPhoneTime(at)
      return { type: 'received', id, from: from ?? '', text: message, sentAt, simSlot }
    }
    case 'begin':
    case 'telemetry':
    case 'rang':
      return frame
  }
}

/** The frame for an order; null: phones of this protocol never get such an order. */
export function frameOf(order: Exclude<PhoneOrder, { readonly type: 'close' }>): GatewayFrame | null {
  switch (order.type) {
    case 'welcome': {
      const { session, at, pingEverySeconds } = order
      return { type: 'welcome', session, serverTime: instant(at), pingEverySeconds }
    }
    case 'offer': {
      const { text, ...message } = order.message
      return { type: 'offer', ...message, message: text }
    }
    case 'ack-received':
      return { type: 'ack', id: order.id }
    case 'wake':
      return null
    case 'synced':
    case 'go':
    case 'no':
    case 'ack':
    case 'ring':
    case 'stop-ring':
      return order
    case 'cancel':
      return { type: 'cancel', messageId: order.messageId }
  }
}
