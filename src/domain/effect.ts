import type { News } from '#contracts/live.ts'
import type { PhoneConnection } from '#contracts/phone-commands.ts'
import type { PhoneOrder } from '#contracts/phone-orders.ts'
import type { LogEntry } from '#contracts/thread-frames.ts'

/** What the writer does after the commit, in this order. */
export type Effect =
  /** An order to a phone, on one of its connections. */
  | { readonly kind: 'order'; readonly connection: PhoneConnection; readonly order: PhoneOrder }
  /** Threads must clear their caches of credentials and plans. */
  | { readonly kind: 'credentials' }
  /** The sender of notifications should fetch due deliveries. */
  | { readonly kind: 'notifications' }
  /** A phone that the gateway connects to was added, changed or removed. */
  | { readonly kind: 'reached-phones' }
  /** The owner has changed the configuration at the API. */
  | { readonly kind: 'configuration' }
  /** News for the open pages of an account, whose sockets the listeners hold. */
  | {
      readonly kind: 'news'
      readonly accountId: string
      readonly news: News
      readonly listeners: readonly number[]
    }
  /** A line of the log. */
  | ({ readonly kind: 'log' } & LogEntry)
