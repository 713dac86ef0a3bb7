/**
 * What the gateway and a phone say to each other, whatever protocol the phone speaks: the gateway gives
 * orders, the phone tells news. Each folder of `transport/device` translates one protocol to and from these.
 */
import type { MessageKind } from '#contracts/primitives.ts'

/** How a phone is reached: our own agent, the SMSGate app's local server, that app's cloud-server mode. */
export const DEVICE_PROTOCOLS = ['roost', 'smsgate', 'smsgate-cloud'] as const
export type DeviceProtocol = (typeof DEVICE_PROTOCOLS)[number]

/** How far a phone is with one attempt at a message, in the order in which they follow. */
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

/** A message as a phone needs it. */
export interface MessageToSend {
  readonly messageId: string
  /** Counts from 1; each new attempt has the next number. */
  readonly attempt: number
  /** E.164. */
  readonly phoneNumber: string
  readonly text: string
  readonly segments: number
  /** 1-based; null: the phone chooses. */
  readonly simSlot: number | null
  /** Milliseconds left to live. */
  readonly ttlMs: number
  readonly kind: MessageKind
}

/** What a phone says about one attempt. */
export interface AttemptReport {
  readonly messageId: string
  readonly attempt: number
  readonly state: JournalState
  /** Why it failed, in Android's words or the phone's own; null: no reason given. */
  readonly code: string | null
  /** The phone's own sentence about it. */
  readonly detail?: string | null
}

/** Why the gateway ends a connection. */
export type CloseReason = 'removed' | 'superseded' | 'protocol-error' | 'flooding'

/** What the gateway tells a phone. */
export type PhoneOrder =
  /** The session is open. `at` is the wall clock. */
  | {
      readonly type: 'welcome'
      readonly session: string
      readonly at: number
      readonly pingEverySeconds: number
    }
  /** The phone's journal was read. */
  | { readonly type: 'synced' }
  /** To phones that ask first: keep this, and ask before you send it. */
  | { readonly type: 'offer'; readonly message: MessageToSend }
  /** The answer to `begin`: send it now, or forget it. */
  | { readonly type: 'go' | 'no'; readonly messageId: string; readonly attempt: number }
  /** The report is committed. */
  | {
      readonly type: 'ack'
      readonly messageId: string
      readonly attempt: number
      readonly state: JournalState
    }
  /** The incoming message is committed. */
  | { readonly type: 'ack-received'; readonly id: string }
  /** Do not send it, if you have not started. */
  | { readonly type: 'cancel'; readonly messageId: string }
  /** To phones that do not ask first: messages wait, take them (`phone.take`). */
  | { readonly type: 'wake' }
  | { readonly type: 'close'; readonly why: CloseReason; readonly reason: string }

/** What a phone tells the gateway. */
export type PhoneNews =
  /** The first on a connection; outside of one, what a phone says about itself. */
  | {
      readonly type: 'opened'
      /** Null: unknown, what was known stays. */
      readonly appVersion: string | null
      /** As `appVersion`. */
      readonly platform: string | null
      /** Empty: unknown, what was known stays. */
      readonly sims: readonly Sim[]
      /** What sends on the phone, such as `termux`. */
      readonly driver?: string | null | undefined
      /** Why it cannot send, a sentence; null: it can. */
      readonly trouble?: string | null | undefined
      /** Why it receives nothing, a sentence; null: it does. */
      readonly receiveTrouble?: string | null | undefined
    }
  /** Of phones that ask first, once a session; `more`: another part follows. */
  | { readonly type: 'journal'; readonly entries: readonly AttemptReport[]; readonly more: boolean }
  /** May I send this? */
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
      /** As when it opened; undefined: no change. */
      readonly trouble?: string | null | undefined
      readonly receiveTrouble?: string | null | undefined
    }
  | ({ readonly type: 'received' } & IncomingText)

/** A text that the phone received. */
export interface IncomingText {
  /** The phone's own id of it: the same id is stored once a device. */
  readonly id: string
  readonly from: string
  readonly text: string
  /** 1-based. */
  readonly simSlot: number | null
}
