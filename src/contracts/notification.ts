/** Notifications in the API: the account's URL and its events, and the log of deliveries. */
import * as v from 'valibot'
import { HttpUrl } from '#contracts/message.ts'
import { NOTIFICATION_EVENTS } from '#contracts/notification-event.ts'
import { Instant, Time } from '#contracts/primitives.ts'

const EventName = v.picklist(NOTIFICATION_EVENTS, `must be one of ${NOTIFICATION_EVENTS.join(', ')}`)

export const SetNotificationRequest = v.object({
  url: HttpUrl,
  events: v.nullish(
    v.pipe(
      v.array(EventName, 'must be a list of events'),
      v.minLength(1, 'must name at least one event; leave it out for all of them'),
      v.check(names => new Set(names).size === names.length, 'must not name an event twice'),
    ),
    [...NOTIFICATION_EVENTS],
  ),
})

/** Why the gateway stopped sending: the receiver answered 410, or failed for five days. */
export const DISABLED_REASONS = ['GONE', 'FAILING'] as const
export type DisabledReason = (typeof DISABLED_REASONS)[number]

export const NotificationResource = v.object({
  /** Null: none is registered. */
  url: v.nullable(v.string()),
  events: v.array(v.picklist(NOTIFICATION_EVENTS)),
  enabled: v.boolean(),
  /**
   * `whsec_` and 32 bytes in base64. Contained in the answer to the first registration, also to the first one
   * after a removal, and in the answer to each rotation; else null.
   */
  secret: v.nullable(v.string()),
  disabledReason: v.nullable(v.picklist(DISABLED_REASONS)),
  disabledAt: v.nullable(Instant),
  /** Time of the first failure after the last success; null: the last attempt succeeded. */
  failingSince: v.nullable(Instant),
})
export type NotificationResource = v.InferOutput<typeof NotificationResource>

/** `cancelled`: the target was removed or disabled before the delivery succeeded. */
export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed', 'cancelled'] as const
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]

const count = v.pipe(v.number(), v.integer(), v.minValue(0))
const status = v.nullable(v.pipe(v.number(), v.integer()))

export const DeliveryResource = v.object({
  /** The receiver gets this id in the header `X-Webhook-Id`. */
  id: v.string(),
  event: v.picklist(NOTIFICATION_EVENTS),
  /** Null: not sent yet; the account's URL at the time of sending will get the delivery. */
  url: v.nullable(v.string()),
  /** The message of the event; null for device and system events. */
  messageId: v.nullable(v.string()),
  status: v.picklist(DELIVERY_STATUSES),
  /** Number of attempts so far. */
  attempts: count,
  lastResponseStatus: status,
  /** One of `DELIVERY_ERRORS`; null: the last attempt got a complete answer, or none was made yet. */
  lastError: v.nullable(v.string()),
  createdAt: Instant,
  /** Null unless pending. */
  nextAttemptAt: v.nullable(Instant),
  /** The latest attempts, oldest first. */
  attemptLog: v.array(v.object({ at: Instant, status, error: v.nullable(v.string()), durationMs: count })),
})
export type DeliveryResource = v.InferOutput<typeof DeliveryResource>

/** A delivery with the body that was sent and the receiver's answers. */
export const DeliveryDetail = v.object({
  ...DeliveryResource.entries,
  /** The exact JSON that was or will be sent. */
  body: v.string(),
  /** The latest attempts, oldest first. */
  attempts: v.array(
    v.object({
      at: Instant,
      status,
      error: v.nullable(v.string()),
      durationMs: count,
      /** The beginning of the answer's body; null: there was no body. */
      answer: v.nullable(v.string()),
    }),
  ),
})
export type DeliveryDetail = v.InferOutput<typeof DeliveryDetail>

export const ReplayFailedRequest = v.object({ since: Time })

export const ReplayedResource = v.object({
  replayed: count,
  /** True when the call replayed as many as one call can. Then more may be left: call again. */
  more: v.boolean(),
})
export type ReplayedResource = v.InferOutput<typeof ReplayedResource>
