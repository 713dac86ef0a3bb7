import type { DeviceProtocol } from '#contracts/phone-orders.ts'

/** A phone's sending slots: messages that are offered to it or that it is sending, at the same time. */
const SENDING_SLOTS = 3

/** What a phone can do. Its protocol decides this, but use cases check capabilities, never the protocol. */
export interface Capabilities {
  /**
   * True: the phone keeps a journal and asks before it sends, so an offer is not binding. False: the phone
   * fetches messages itself, and giving it a message is the `go`.
   */
  readonly asksFirst: boolean
  /**
   * True: the phone has one connection, and a newer connection ends the older. False: it may have several.
   */
  readonly oneConnection: boolean
  /**
   * Whether the gateway runs an agent that calls the phone. While the agent cannot reach the phone, the phone
   * counts as disconnected, although the agent is connected.
   */
  readonly isReached: boolean
  /** Whether an order `cancel` makes the phone drop a message that it has not started. */
  readonly cancels: boolean
  /** How many messages the phone may hold at a time. */
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
  // The gateway's own agent keeps the journal for this phone, and asks on its behalf.
  smsgate: { ...ASKING, isReached: true },
  modem: { ...ASKING, isReached: true },
  // An app that cannot cancel ignores the order. The report from the phone says whether it sent the text.
  'smsgate-cloud': {
    asksFirst: false,
    oneConnection: false,
    isReached: false,
    cancels: true,
    slots: SENDING_SLOTS,
  },
}

export function capabilitiesOf(protocol: DeviceProtocol): Capabilities {
  return BY_PROTOCOL[protocol]
}
