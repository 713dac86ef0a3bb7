/**
 * The gateway's orders to phones and the phones' news to the gateway, independent of any protocol. Each
 * folder of `transport/device` translates one protocol to and from these types.
 */
import type { MessageKind } from '#contracts/primitives.ts'

/**
 * How a phone is connected: by our own agent, by the SMSGate app's local server or its cloud-server mode, or
 * as a modem of the gateway's machine.
 */
export const DEVICE_PROTOCOLS = ['roost', 'smsgate', 'smsgate-cloud', 'modem'] as const
export type DeviceProtocol = (typeof DEVICE_PROTOCOLS)[number]

/** The driver of a pretend phone: its agent prints texts instead of sending them. */
export const PRETEND_DRIVER = 'log'

/** A phone's trouble that begins with this concerns only received texts: the phone can send. */
export const RECEIVE_TROUBLE = 'received texts do not reach Roost'

export function isReceiveTrouble(trouble: string): boolean {
  return trouble.startsWith(RECEIVE_TROUBLE)
}

/** The states of one attempt in the phone's journal, in order. The last three are final. */
export const JOURNAL_STATES = [
  'accepted',
  'submitting',
  'submitted',
  'sent',
  'delivered',
  'failed',
  'uncertain',
] as const
export type JournalState = (typeof JOURNAL_STATES)[number]

export interface Sim {
  /** 1-based. */
  readonly slot: number
  readonly carrier: string | null
  /** ISO 3166-1 alpha-2, upper case. */
  readonly countryCode: string | null
  readonly phoneNumber: string | null
}

/** What a phone needs to know about a message to send it. */
export interface MessageToSend {
  readonly messageId: string
  /** Counts from 1. */
  readonly attempt: number
  /** E.164. */
  readonly phoneNumber: string
  readonly text: string
  readonly segments: number
  /** 1-based; null: the phone chooses. */
  readonly simSlot: number | null
  /** Remaining time to live, milliseconds. */
  readonly ttlMs: number
  readonly kind: MessageKind
  /** The phone must not send it any more, unless the phone has started. Only in answers to `phone.fetch`. */
  readonly isCancelled?: boolean
}

/** The code of an attempt that was cancelled on the phone before it was transmitted. */
export const CANCELLED_ON_PHONE = 'CANCELLED_ON_PHONE'

/** A phone's report about one attempt. */
export interface AttemptReport {
  readonly messageId: string
  readonly attempt: number
  readonly state: JournalState
  /** Code of a failure, from Android (such as `RESULT_ERROR_NO_SERVICE`) or the phone; null: none given. */
  readonly code: string | null
  /** The phone's own sentence about the failure. */
  readonly detail?: string | null
}

/** How a ring ended. `rang`: it rang, whoever answered. `busy`: the person was on the phone. */
export const RING_OUTCOMES = ['rang', 'busy', 'failed'] as const
export type RingOutcome = (typeof RING_OUTCOMES)[number]

/** A phone that a phone calls, only to let it ring. */
export interface RingOrder {
  /** Used once. */
  readonly ringId: string
  /** E.164. */
  readonly phoneNumber: string
  /** How long it rings. */
  readonly seconds: number
}

/** Why the gateway ends a connection. */
export type CloseReason = 'removed' | 'superseded' | 'protocol-error' | 'flooding'

/** Why the gateway closed a connection, as the close frame says it. */
export interface Refusal {
  readonly why: 'too-big' | 'protocol-error' | 'flooding'
  readonly reason: string
}

/** A message from the gateway to a phone. */
export type PhoneOrder =
  /** The session is open. `at`: milliseconds since 1970. */
  | {
      readonly type: 'welcome'
      readonly session: string
      readonly at: number
      readonly pingEverySeconds: number
    }
  /** The gateway has compared the phone's journal with its own records. */
  | { readonly type: 'synced' }
  /** For phones that use `begin`: store this message, and send `begin` before you transmit it. */
  | { readonly type: 'offer'; readonly message: MessageToSend }
  /** The answer to `begin`. `go`: transmit the message now. `no`: delete it. */
  | { readonly type: 'go' | 'no'; readonly messageId: string; readonly attempt: number }
  /** The gateway has committed the report. */
  | {
      readonly type: 'ack'
      readonly messageId: string
      readonly attempt: number
      readonly state: JournalState
    }
  /** The gateway has committed the received text. */
  | { readonly type: 'ack-received'; readonly id: string }
  /** Do not transmit the message, unless you have started. */
  | { readonly type: 'cancel'; readonly messageId: string; readonly attempt: number }
  /** For phones that call: ring a person. The phone answers with `rang`. */
  | ({ readonly type: 'ring' } & RingOrder)
  /** Hang up, if it still rings. */
  | { readonly type: 'stop-ring'; readonly ringId: string }
  /** For phones without `begin`: messages are waiting, fetch them (`phone.fetch`). */
  | { readonly type: 'wake' }
  /** End the connection. `reason`: `why` as a sentence for the phone's log. */
  | { readonly type: 'close'; readonly why: CloseReason; readonly reason: string }

/** A message from a phone to the gateway. */
export type PhoneNews =
  /**
   * The phone describes itself. On a connection, this is the first news. A phone without a connection may
   * send it at any time.
   */
  | {
      readonly type: 'opened'
      /** Null: unknown; the stored value stays. */
      readonly appVersion: string | null
      /** As `appVersion`. */
      readonly platform: string | null
      /** Empty: unknown; the stored SIMs stay. */
      readonly sims: readonly Sim[]
      /** The agent's driver, such as `termux`. */
      readonly driver?: string | null | undefined
      /** Whether the phone can ring people; undefined: not reported. */
      readonly calls?: boolean | undefined
      /** Whether the phone hands in received texts; undefined: not reported. */
      readonly receives?: boolean | undefined
      /** A sentence that says why the phone cannot send; null: it can; undefined: not reported. */
      readonly trouble?: string | null | undefined
      /**
       * A sentence that says why the phone cannot report received texts; null: it can; undefined: not
       * reported.
       */
      readonly receiveTrouble?: string | null | undefined
    }
  /** The journal of a phone that uses `begin`, once in each session. `more`: another part follows. */
  | { readonly type: 'journal'; readonly entries: readonly AttemptReport[]; readonly more: boolean }
  /** The phone asks for permission to transmit; the gateway answers `go` or `no`. */
  | { readonly type: 'begin'; readonly messageId: string; readonly attempt: number }
  | ({ readonly type: 'report' } & AttemptReport)
  | {
      readonly type: 'telemetry'
      /** Percent. */
      readonly battery: number | null
      readonly charging: boolean | null
      /** dBm, negative. */
      readonly signal: number | null
      /** Null: no change. */
      readonly sims: readonly Sim[] | null
      /** Null: no change. */
      readonly busy: boolean | null
      /** As in `opened`; undefined: no change. */
      readonly receives?: boolean | undefined
      readonly trouble?: string | null | undefined
      readonly receiveTrouble?: string | null | undefined
    }
  | ({ readonly type: 'received' } & IncomingText)
  /** The end of a ring. A ring that is lost, for example with the connection, has failed. */
  | { readonly type: 'rang'; readonly ringId: string; readonly outcome: RingOutcome }

/** A text that the phone received. */
export interface IncomingText {
  /** The phone's own id of the text. The gateway stores each id of a phone once. */
  readonly id: string
  /** Empty: unknown. */
  readonly from: string
  readonly text: string
  /** The time by the network's or the phone's clock, which may be wrong; null: unknown. */
  readonly sentAt: number | null
  /** Counts from 1; null: unknown. */
  readonly simSlot: number | null
}
