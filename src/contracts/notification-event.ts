/** The bodies of outbound notifications: one schema for each event. */
import * as v from 'valibot'
import { HealthProblem } from '#contracts/health.ts'
import { ReceivedResource } from '#contracts/inbox.ts'
import { IncidentResource } from '#contracts/incident.ts'
import { noted } from '#contracts/noted.ts'
import { OptOutResource } from '#contracts/opt-out.ts'
import { DEVICE_STATUSES, DeviceId, Instant, MessageId, SentNumber } from '#contracts/primitives.ts'

/** Present when the message was made with a test key. */
const test = noted(v.optional(v.literal(true)), 'True: sandbox. Nothing reaches a phone.')

const sms = {
  messageId: noted(MessageId, 'The message, `msg_…`.'),
  phoneNumber: noted(SentNumber, 'E.164: + and 2 to 15 digits; of a short code its digits.'),
}
const device = {
  deviceId: noted(DeviceId, 'The phone, `dev_…`.'),
  name: noted(v.string(), 'A label for people, 1 to 80 characters on one line.'),
  status: noted(v.picklist(DEVICE_STATUSES), 'The current state.'),
  lastSeen: noted(v.nullable(Instant), 'When the gateway last heard from the phone.'),
  test,
}

const event = <const Name extends string, Data extends v.ObjectEntries>(name: Name, data: Data) =>
  v.object({
    event: noted(v.literal(name), 'The type of event.'),
    timestamp: noted(Instant, 'The time of the event.'),
    data: noted(v.object(data), 'What the event is about.'),
  })

export const SmsSentEvent = event('sms.sent', {
  ...sms,
  status: noted(v.literal('sent'), 'The current state.'),
  test,
})
export const SmsDeliveredEvent = event('sms.delivered', {
  ...sms,
  status: noted(v.literal('delivered'), 'The current state.'),
  test,
})
export const SmsFailedEvent = event('sms.failed', {
  ...sms,
  status: noted(v.literal('failed'), 'The current state.'),
  failure: noted(
    v.object({
      code: noted(v.string(), 'The same code as in the message’s `failure`.'),
      message: noted(v.string(), 'A sentence for people; its wording may change.'),
    }),
    'Why the message failed.',
  ),
  test,
})
export const SmsReceivedEvent = event('sms.received', {
  messageId: noted(
    v.pipe(v.string(), v.minLength(1), v.maxLength(128)),
    'The gateway’s id of the received text (`rcv_…`).',
  ),
  ...v.omit(ReceivedResource, ['id']).entries,
  test,
})
export const SmsOptedOutEvent = event('sms.opted_out', { ...OptOutResource.entries, test })
export const DeviceOnlineEvent = event('device.online', device)
export const DeviceOfflineEvent = event('device.offline', device)
const incident = { ...IncidentResource.entries, test }
const alarm = { ...v.omit(HealthProblem, ['fix', 'words']).entries, test }
export const SystemAlarmEvent = event('system.alarm', alarm)
export const SystemRecoveredEvent = event('system.recovered', alarm)

export const IncidentOpenedEvent = event('incident.opened', incident)
export const IncidentTakenEvent = event('incident.taken', incident)
export const IncidentEscalatedEvent = event('incident.escalated', incident)
export const IncidentUnansweredEvent = event('incident.unanswered', incident)
export const IncidentClosedEvent = event('incident.closed', incident)

export const NotificationEvent = v.variant('event', [
  SmsSentEvent,
  SmsDeliveredEvent,
  SmsFailedEvent,
  SmsReceivedEvent,
  SmsOptedOutEvent,
  DeviceOnlineEvent,
  DeviceOfflineEvent,
  SystemAlarmEvent,
  SystemRecoveredEvent,
  IncidentOpenedEvent,
  IncidentTakenEvent,
  IncidentEscalatedEvent,
  IncidentUnansweredEvent,
  IncidentClosedEvent,
])
export type NotificationEvent = v.InferOutput<typeof NotificationEvent>

export const NOTIFICATION_EVENTS = [
  'sms.sent',
  'sms.delivered',
  'sms.failed',
  'sms.received',
  'sms.opted_out',
  'device.online',
  'device.offline',
  'system.alarm',
  'system.recovered',
  'incident.opened',
  'incident.taken',
  'incident.escalated',
  'incident.unanswered',
  'incident.closed',
] as const satisfies readonly NotificationEvent['event'][]
export type NotificationEventName = (typeof NOTIFICATION_EVENTS)[number]
