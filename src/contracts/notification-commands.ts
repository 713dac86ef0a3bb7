import type { DeliveryResource, NotificationResource, ReplayedResource } from '#contracts/notification.ts'
import type { SenderExchange, SenderOrders } from '#contracts/notification-delivery.ts'
import type { NotificationEventName } from '#contracts/notification-event.ts'

export interface AccountReference {
  readonly accountId: string
}

/** The writer's commands for notifications. */
export interface NotificationCommands {
  'notification.set': {
    input: {
      readonly accountId: string
      readonly url: string
      readonly events: readonly NotificationEventName[]
    }
    output: NotificationResource
  }
  'notification.find': { input: AccountReference; output: NotificationResource }
  'notification.delete': { input: AccountReference; output: NotificationResource }
  'notification.rotate': { input: AccountReference; output: NotificationResource }
  'notification.test': { input: AccountReference; output: DeliveryResource }
  'notification.replay': { input: AccountReference & { readonly id: string }; output: DeliveryResource }
  'notification.replay-failed': {
    /** `since`: milliseconds since 1970. */
    input: AccountReference & { readonly since: number }
    output: ReplayedResource
  }
  /** The notification sender reports its attempts and fetches the deliveries that are due. */
  'notification.exchange': { input: SenderExchange; output: SenderOrders }
}
