/** Notifications in the API: the account's URL and its events, and the log of deliveries. */
import * as v from 'valibot'
import { HttpUrl } from '#contracts/message.ts'
import { noted } from '#contracts/noted.ts'
import { NOTIFICATION_EVENTS } from '#contracts/notification-event.ts'
import { ForwardId, Instant, Time } from '#contracts/primitives.ts'

const EventName = v.picklist(NOTIFICATION_EVENTS, `must be one of ${NOTIFICATION_EVENTS.join(', ')}`)

export const SetNotificationRequest = v.object({
  url: noted(HttpUrl, 'http or https, at most 2048 characters.'),
  events: noted(
    v.nullish(
      v.pipe(
        v.array(EventName, 'must be a list of events'),
        v.minLength(1, 'must name at least one event; leave it out for all of them'),
        v.check(names => new Set(names).size === names.length, 'must not name an event twice'),
      ),
      [...NOTIFICATION_EVENTS],
    ),
    'The types of events that are sent.',
  ),
})

/** Why the gateway stopped sending: the receiver answered 410, or failed for five days. */
export const DISABLED_REASONS = ['GONE', 'FAILING'] as const
export type DisabledReason = (typeof DISABLED_REASONS)[number]

export const NotificationResource = v.object({
  url: noted(v.nullable(v.string()), 'Where notifications go; null: none is registered.'),
  events: noted(v.array(v.picklist(NOTIFICATION_EVENTS)), 'The types of events that are sent.'),
  enabled: noted(v.boolean(), 'False: switched off.'),
  secret: noted(
    v.nullable(v.string()),
    'The signing secret: `whsec_` and 32 bytes in base64. Shown in the answer to the first registration, ' +
      'also to the first one after a removal, and in the answer to each rotation; else null.',
  ),
  disabledReason: noted(
    v.nullable(v.picklist(DISABLED_REASONS)),
    'GONE: the receiver answered 410. FAILING: it failed for five days. Null: notifications are enabled.',
  ),
  disabledAt: noted(
    v.nullable(Instant),
    'When the gateway stopped sending notifications; null: they are enabled.',
  ),
  failingSince: noted(
    v.nullable(Instant),
    'Time of the first failure after the last success, later by as long as the gateway was off since; ' +
      'null: the last attempt succeeded.',
  ),
})
export type NotificationResource = v.InferOutput<typeof NotificationResource>

/** `cancelled`: the target was removed or disabled before the delivery succeeded. */
export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed', 'cancelled'] as const
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]

const count = v.pipe(v.number(), v.integer(), v.minValue(0))
const status = v.nullable(v.pipe(v.number(), v.integer()))

const attempt = {
  at: noted(Instant, 'When the attempt began.'),
  status: noted(status, 'HTTP status of the receiver’s answer; null: no answer came.'),
  error: noted(v.nullable(v.string()), 'Code of the error that prevented a complete answer; null: no error.'),
  durationMs: noted(count, 'How long the attempt took, milliseconds.'),
}

export const DeliveryResource = v.object({
  id: noted(v.string(), 'The identifier, `evt_…`. The receiver gets it in the header X-Webhook-Id.'),
  event: noted(v.picklist(NOTIFICATION_EVENTS), 'The type of event.'),
  url: noted(
    v.nullable(v.string()),
    'The URL of the delivery; null: not sent yet, and the account’s URL at the time of sending will get ' +
      'it, or a forward.',
  ),
  forwardId: noted(
    v.nullable(ForwardId),
    'The forward that passes a received text on, `fwd_…`; null: an event for a URL.',
  ),
  messageId: noted(
    v.nullable(v.string()),
    'The message of the event, sent or received; null for other events.',
  ),
  about: noted(
    v.nullable(v.string()),
    'Whom or what the event is about, as its body says: the number of a text, the sender of a received ' +
      'one, the name of a phone, the words of an alert or a problem; null: the body says nothing of that.',
  ),
  status: noted(
    v.picklist(DELIVERY_STATUSES),
    'cancelled: the URL was removed or disabled before the delivery succeeded.',
  ),
  attempts: noted(count, 'Number of attempts so far.'),
  lastResponseStatus: noted(status, 'HTTP status of the receiver’s last answer; null: it has not answered.'),
  lastError: noted(
    v.nullable(v.string()),
    'Error code; null: the last attempt got a complete answer, or none was made yet.',
  ),
  createdAt: noted(Instant, 'Time of creation.'),
  nextAttemptAt: noted(v.nullable(Instant), 'Time of the next attempt; null unless pending.'),
  attemptLog: noted(v.array(v.object(attempt)), 'The latest attempts, oldest first.'),
})
export type DeliveryResource = v.InferOutput<typeof DeliveryResource>

/** A delivery with the body that was sent and the receiver's answers. */
export const DeliveryDetail = v.object({
  ...DeliveryResource.entries,
  body: noted(
    v.string(),
    'The exact body that was or will be sent; of a forward: the text, before its service’s own form.',
  ),
  attempts: noted(
    v.array(
      v.object({
        ...attempt,
        answer: noted(
          v.nullable(v.string()),
          'The first KiB of the receiver’s answer; null: it had no body.',
        ),
      }),
    ),
    'The latest attempts with the receiver’s answers, oldest first.',
  ),
})
export type DeliveryDetail = v.InferOutput<typeof DeliveryDetail>

export const ReplayFailedRequest = v.object({
  since: noted(
    Time,
    'Failed and cancelled deliveries made at this time or later are sent again; ISO 8601 in UTC.',
  ),
})

export const ReplayedResource = v.object({
  replayed: noted(count, 'How many deliveries are sent again.'),
  more: noted(
    v.boolean(),
    'True if the call replayed as many deliveries as one call can. Then more may be left: call again.',
  ),
})
export type ReplayedResource = v.InferOutput<typeof ReplayedResource>
