import { SENDING_SLOTS } from '#contracts/bounds.ts'
import type { DeviceProtocol } from '#contracts/phone-orders.ts'

/** What a phone can do, by its protocol: decisions look at these, never at the protocol. */
export interface Capabilities {
  /**
   * It keeps a journal and asks before it sends, so an offer binds nobody. If not, it takes messages by
   * itself, and handing one over is the `go`.
   */
  readonly asksFirst: boolean
  /** It has one connection at a time, and a newer one ends the older. If not, several are open together. */
  readonly oneConnection: boolean
  /**
   * The gateway reaches it, by an agent of its own: while that agent cannot get into the phone, the phone is
   * away, although the agent is connected.
   */
  readonly isReached: boolean
  /** Told `cancel`, it drops a message that it holds and has not started. */
  readonly cancels: boolean
  /** Messages that it may hold at a time. */
  readonly slots: number
}

const ASKING: Capabilities = {
  asksFirst: true,
  oneConnection: true,
  isReached: false,
  cancels: true,
  slots: SENDING_SLOTS,
}

const BY_PROTOCOL: Readonly<Record<DeviceProtocol, Capabilities>> = {
  roost: ASKING,
  // The gateway's own client stands in for the phone: it keeps the journal and asks.
  smsgate: { ...ASKING, isReached: true },
  // Only newer versions of the app cancel, and an older one sends what it is told to cancel.
  'smsgate-cloud': {
    asksFirst: false,
    oneConnection: false,
    isReached: false,
    cancels: false,
    slots: SENDING_SLOTS,
  },
}

export function capabilitiesOf(protocol: DeviceProtocol): Capabilities {
  return BY_PROTOCOL[protocol]
}
