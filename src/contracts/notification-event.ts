/** The bodies of outbound notifications: one schema for each event. */
import * as v from 'valibot'
import { SIMS_MAX } from '#contracts/bounds.ts'
import { HEALTH_CODES, HEALTH_SEVERITIES } from '#contracts/health.ts'
import { DEVICE_STATUSES, DeviceId, E164, Instant, MessageId } from '#contracts/primitives.ts'

/** Present, and true, when the message was made with a test key. */
const test = v.optional(v.literal(true))

const sms = { messageId: MessageId, phoneNumber: E164 }
const device = {
  deviceId: DeviceId,
  name: v.string(),
  status: v.picklist(DEVICE_STATUSES),
  lastSeen: v.nullable(Instant),
  test,
}

const event = <const Name extends string, Data extends v.ObjectEntries>(name: Name, data: Data) =>
  v.object({ event: v.literal(name), timestamp: Instant, data: v.object(data) })

export const SmsSentEvent = event('sms.sent', { ...sms, status: v.literal('sent'), test })
export const SmsDeliveredEvent = event('sms.delivered', { ...sms, status: v.literal('delivered'), test })
export const SmsFailedEvent = event('sms.failed', {
  ...sms,
  status: v.literal('failed'),
  failure: v.object({ code: v.string(), message: v.string() }),
  test,
})
export const SmsReceivedEvent = event('sms.received', {
  /** The gateway's id of the received text (`rcv_…`). */
  messageId: v.pipe(v.string(), v.minLength(1), v.maxLength(128)),
  /** A phone number, or a name where the carrier sent one. */
  from: v.string(),
  message: v.string(),
  receivedAt: Instant,
  deviceId: DeviceId,
  /** Counts from 1; null: unknown. */
  simSlot: v.nullable(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(SIMS_MAX))),
  test,
})
export const DeviceOnlineEvent = event('device.online', device)
export const DeviceOfflineEvent = event('device.offline', device)
const alarm = {
  code: v.picklist(HEALTH_CODES),
  severity: v.picklist(HEALTH_SEVERITIES),
  subject: v.nullable(v.string()),
  message: v.string(),
  since: Instant,
  test,
}
export const SystemAlarmEvent = event('system.alarm', alarm)
export const SystemRecoveredEvent = event('system.recovered', alarm)

export const NotificationEvent = v.variant('event', [
  SmsSentEvent,
  SmsDeliveredEvent,
  SmsFailedEvent,
  SmsReceivedEvent,
  DeviceOnlineEvent,
  DeviceOfflineEvent,
  SystemAlarmEvent,
  SystemRecoveredEvent,
])
export type NotificationEvent = v.InferOutput<typeof NotificationEvent>

export const NOTIFICATION_EVENTS = [
  'sms.sent',
  'sms.delivered',
  'sms.failed',
  'sms.received',
  'device.online',
  'device.offline',
  'system.alarm',
  'system.recovered',
] as const satisfies readonly NotificationEvent['event'][]
export type NotificationEventName = (typeof NOTIFICATION_EVENTS)[number]
