/** Notifications in the API: where they go, and how each delivery ended. */
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
  /** `whsec_` and base64 of 32 bytes; only in the answer that makes it known, null in every other. */
  secret: v.nullable(v.string()),
  disabledReason: v.nullable(v.picklist(DISABLED_REASONS)),
  disabledAt: v.nullable(Instant),
  /** The first failure after the last success. */
  failingSince: v.nullable(Instant),
})
export type NotificationResource = v.InferOutput<typeof NotificationResource>

/** `cancelled`: its target was removed or disabled before it arrived. */
export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed', 'cancelled'] as const
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]

const count = v.pipe(v.number(), v.integer(), v.minValue(0))
const status = v.nullable(v.pipe(v.number(), v.integer()))

export const DeliveryResource = v.object({
  /** What the receiver gets as `X-Webhook-Id`. */
  id: v.string(),
  event: v.picklist(NOTIFICATION_EVENTS),
  /** Where it went, or will go first; null while that is the account's URL of the time when it is sent. */
  url: v.nullable(v.string()),
  /** The message of the event; null for events of devices. */
  messageId: v.nullable(v.string()),
  status: v.picklist(DELIVERY_STATUSES),
  /** How often it was sent. */
  attempts: count,
  lastResponseStatus: status,
  /** One of `DELIVERY_ERRORS`. */
  lastError: v.nullable(v.string()),
  createdAt: Instant,
  /** Null unless pending. */
  nextAttemptAt: v.nullable(Instant),
  /** The latest attempts, oldest first. */
  attemptLog: v.array(v.object({ at: Instant, status, error: v.nullable(v.string()), durationMs: count })),
})
export type DeliveryResource = v.InferOutput<typeof DeliveryResource>

/** A delivery with what was sent and what was answered. */
export const DeliveryDetail = v.object({
  ...DeliveryResource.entries,
  /** To the byte, JSON. */
  body: v.string(),
  /** The latest, oldest first. */
  attempts: v.array(
    v.object({
      at: Instant,
      status,
      error: v.nullable(v.string()),
      durationMs: count,
      /** The beginning of the answer's body; null: none came. */
      answer: v.nullable(v.string()),
    }),
  ),
})
export type DeliveryDetail = v.InferOutput<typeof DeliveryDetail>

export const ReplayFailedRequest = v.object({ since: Time })

export const ReplayedResource = v.object({
  replayed: count,
  /** More have failed than one call takes: call again. */
  more: v.boolean(),
})
export type ReplayedResource = v.InferOutput<typeof ReplayedResource>
