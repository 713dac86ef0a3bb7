/** The writer's commands about phones and open console pages; `Commands` includes them. */
import type { MessageToSend, PhoneNews, Refusal } from '#contracts/phone-orders.ts'

/** A phone's connection: the listener thread that holds it, and the number of the socket there. */
export interface PhoneConnection {
  readonly listener: number
  /** A later socket has a higher number, across all listeners. */
  readonly socket: number
}

/** An open console page of an account, and its socket. */
export interface LiveWatcher {
  readonly accountId: string
  readonly listener: number
  /** The listener's number for the page's socket. */
  readonly socket: number
  /** Who is logged in; absent when the socket leaves, and of the gateway's own watcher. */
  readonly userId?: string | undefined
}

export interface PhoneCommands {
  'phone.news': {
    /**
     * `connection`: null when the phone sent the news in a single HTTP request, without a lasting connection.
     */
    input: {
      readonly deviceId: string
      readonly connection: PhoneConnection | null
      readonly news: PhoneNews
    }
    output: null
  }
  /**
   * A phone without the `begin` step fetches the messages to send. Fetching a message counts as its `go`.
   * Until the phone reports a message, each further answer to this phone contains it again.
   * Refused as NOT_FOUND if there is no such device, and as CONFLICT if the device uses `begin`.
   */
  'phone.fetch': { input: { readonly deviceId: string }; output: readonly MessageToSend[] }
  /**
   * A phone registers again as the same device, and may have lost its records. It gets a new token. Messages
   * that it had fetched end as OUTCOME_UNKNOWN, so that none is sent twice. Refused as NOT_FOUND if there is
   * no such device.
   */
  'phone.renew': { input: { readonly deviceId: string }; output: { readonly token: string } }
  /**
   * What the gateway lacks to connect to a phone: its password, which it has lost, or its modem, which an
   * older phone has. Null: nothing.
   */
  'phone.note-access': {
    input: { readonly deviceId: string; readonly lacks: 'password' | 'modem' | null }
    output: null
  }
  'phone.closed': {
    input: {
      readonly deviceId: string
      readonly connection: PhoneConnection
      /** Whole milliseconds since the phone's last byte. */
      readonly silentMs: number
      /** Left out: the phone or the network closed it. */
      readonly refusal?: Refusal
    }
    output: null
  }
  /** Phones that answered a ping. This updates memory only, not the database. */
  'phone.heard': { input: { readonly deviceIds: readonly string[] }; output: null }
  /** The listener gets the account's live news from now on. */
  'live.join': { input: LiveWatcher; output: null }
  'live.leave': { input: LiveWatcher; output: null }
  /** A listener thread has died: all its connections are gone. */
  'listener.gone': { input: { readonly listener: number }; output: null }
}
