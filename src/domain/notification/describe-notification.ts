import type { DeliveryDetail, DeliveryResource, NotificationResource } from '#contracts/notification.ts'
import { NOTIFICATION_EVENTS } from '#contracts/notification-event.ts'
import type { Delivery, NotificationSetting } from '#domain/notification/notification-store.ts'
import { instant, instantOrNull } from '#domain/time.ts'

/** The account's setting as the API shows it. It contains the secret only if the caller passes it. */
export function describeSetting(
  setting: NotificationSetting | undefined,
  secret: string | null = null,
): NotificationResource {
  return {
    url: setting?.url ?? null,
    events: [...(setting?.events ?? NOTIFICATION_EVENTS)],
    enabled: setting?.enabled ?? false,
    secret,
    disabledReason: setting?.disabledReason ?? null,
    disabledAt: instantOrNull(setting?.disabledAt ?? null),
    failingSince: instantOrNull(setting?.failingSince ?? null),
  }
}

/** A delivery as the API shows it, without its body. */
export function describeDelivery(delivery: Delivery): DeliveryResource {
  const { nextAt, createdAt, subjectId } = delivery
  return {
    id: delivery.id,
    event: delivery.event,
    url: delivery.ownUrl ?? delivery.sentTo,
    forwardId: delivery.forwardId,
    // The subject of an event is also a device (`dev_…`), an incident (`inc_…`) or an alarm (`alarm CODE …`).
    messageId: /^(msg|rcv)_/.test(subjectId) ? subjectId : null,
    about: aboutOf(delivery.body),
    status: delivery.status,
    attempts: delivery.attempts,
    lastResponseStatus: delivery.responseStatus,
    lastError: delivery.error,
    createdAt: instant(createdAt),
    nextAttemptAt: delivery.status === 'pending' ? instant(nextAt === 0 ? createdAt : nextAt) : null,
    attemptLog: delivery.log.map(({ at, answer: _, ...attempt }) => ({ at: instant(at), ...attempt })),
  }
}

/**
 * The fields of the data of events that name what they are about. Each event has one of them first. A sender
 * may be null.
 */
const ABOUT = ['phoneNumber', 'from', 'name', 'text', 'message']

function aboutOf(body: string): string | null {
  try {
    const { data } = JSON.parse(body) as { readonly data?: Readonly<Record<string, unknown>> }
    const found = ABOUT.map(field => data?.[field]).find(value => value !== undefined && value !== '')
    return typeof found === 'string' ? found : null
  } catch {
    // The bodies of some forwards are plain text.
    return null
  }
}

/** A delivery with the body that was sent and the answers. */
export function detailDelivery(delivery: Delivery): DeliveryDetail {
  const attempts = delivery.log.map(({ at, ...attempt }) => ({ at: instant(at), ...attempt }))
  return { ...describeDelivery(delivery), body: delivery.body, attempts }
}
