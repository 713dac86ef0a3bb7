/** What listeners ask and tell the writer about phones: a part of `Commands`. */
import type { MessageToSend, PhoneNews } from '#contracts/phone-orders.ts'

/** Where a phone's connection is held. */
export interface PhoneConnection {
  readonly listener: number
  readonly socket: number
}

/** An open console page of an account. */
interface LiveWatcher {
  readonly accountId: string
  readonly listener: number
  /** Of the listener. */
  readonly socket: number
}

export interface PhoneCommands {
  'phone.news': {
    /** `connection`: null when the phone told it by a request of its own, not on a connection that lasts. */
    input: {
      readonly deviceId: string
      readonly connection: PhoneConnection | null
      readonly news: PhoneNews
    }
    output: null
  }
  /**
   * A phone that does not ask first takes what it should send: handing over is the `go`. Until it reports a
   * message, each call gives it again to this phone, and to no other. NOT_FOUND: no such device; CONFLICT:
   * this one asks first.
   */
  'phone.take': { input: { readonly deviceId: string }; output: readonly MessageToSend[] }
  /**
   * A phone registers again under its device, and may have lost what it knew: it gets a new token, and what
   * it was handed before ends as OUTCOME_UNKNOWN and is not handed out again. NOT_FOUND: no such device.
   */
  'phone.renew': { input: { readonly deviceId: string }; output: { readonly token: string } }
  'phone.closed': {
    input: {
      readonly deviceId: string
      readonly connection: PhoneConnection
      /** Whole milliseconds since the last byte of the phone. */
      readonly silentMs: number
    }
    output: null
  }
  /** Phones that answered a ping: nothing is written. */
  'phone.heard': { input: { readonly deviceIds: readonly string[] }; output: null }
  /** From now on the listener gets the news of the account. */
  'live.join': { input: LiveWatcher; output: null }
  'live.leave': { input: LiveWatcher; output: null }
  'listener.gone': { input: { readonly listener: number }; output: null }
}
