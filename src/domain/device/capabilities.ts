import { SENDING_SLOTS } from '#contracts/bounds.ts'
import type { DeviceProtocol } from '#contracts/phone-orders.ts'

/** What a phone can do, by its protocol: decisions check these, never the protocol. */
export interface Capabilities {
  /**
   * It keeps a journal and asks before it sends, so an offer is not binding. If not, it fetches messages
   * itself, and handing one over is the `go`.
   */
  readonly asksFirst: boolean
  /** It has one connection at a time, and a newer one ends the older. If not, several are open together. */
  readonly oneConnection: boolean
  /**
   * The gateway connects to it by its own agent. While that agent cannot reach the phone, the phone counts as
   * away, although the agent is connected.
   */
  readonly isReached: boolean
  /** On `cancel` it drops a message that it holds and has not started. */
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
  // The gateway's own agent acts for the phone: it keeps the journal and asks.
  smsgate: { ...ASKING, isReached: true },
  // Only newer versions of the app can cancel; an older one would send the message.
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
