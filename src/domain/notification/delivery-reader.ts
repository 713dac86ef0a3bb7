import type { DeliveryStatus } from '#contracts/notification.ts'
import type { NotificationEventName } from '#contracts/notification-event.ts'
import type { Delivery } from '#domain/notification/notification-store.ts'

/** Which deliveries a list shows. */
export interface DeliveryFilter {
  readonly accountId: string
  readonly status: DeliveryStatus | null
  readonly event: NotificationEventName | null
  readonly messageId: string | null
  /** When they were made, wall clock, both included. */
  readonly since: number | null
  readonly until: number | null
  /** Only deliveries older than this position, which is the `next` of the previous page. */
  readonly before: number | null
  readonly limit: number
}

export interface DeliverySlice {
  /** Newest first. */
  readonly deliveries: readonly Delivery[]
  /** Where the next page begins; null: this is the last page. A short page may still have a next one. */
  readonly next: number | null
}

/** Deliveries, for reading. */
export interface DeliveryReader {
  list(filter: DeliveryFilter): DeliverySlice
  find(accountId: string, id: string): Delivery | undefined
}
