import * as v from 'valibot'
import { IncidentResource } from '#contracts/incident.ts'
import type { NotificationEvent } from '#contracts/notification-event.ts'

/** An event before it is stored: its name, its data, and its time in milliseconds since 1970. */
export type EventFacts = {
  [Event in NotificationEvent as Event['event']]: {
    readonly event: Event['event']
    readonly at: number
    readonly data: Omit<Event['data'], 'test'>
    /** The message was made with a test key. */
    readonly test?: boolean
  }
}[NotificationEvent['event']]

/**
 * Makes the JSON text of an event. This text is stored, signed and sent unchanged, because making it again
 * for a retry could change a byte and so the signature. Data is copied field by field, so that no other
 * field of a row (a text, a note) is sent.
 */
export function eventBody(facts: EventFacts): string {
  return JSON.stringify(notificationEvent(facts))
}

function notificationEvent(facts: EventFacts): NotificationEvent {
  const timestamp = new Date(facts.at).toISOString()
  const test = facts.test === true ? { test: true as const } : {}
  switch (facts.event) {
    case 'sms.sent': {
      const { messageId, phoneNumber, status } = facts.data
      return { event: facts.event, timestamp, data: { messageId, phoneNumber, status, ...test } }
    }
    case 'sms.delivered': {
      const { messageId, phoneNumber, status } = facts.data
      return { event: facts.event, timestamp, data: { messageId, phoneNumber, status, ...test } }
    }
    case 'sms.failed': {
      const { messageId, phoneNumber, status, failure } = facts.data
      const { code, message } = failure
      const data = { messageId, phoneNumber, status, failure: { code, message }, ...test }
      return { event: facts.event, timestamp, data }
    }
    case 'sms.received': {
      const { messageId, from, message, receivedAt, sentAt, deviceId, simSlot } = facts.data
      const data = { messageId, from, message, receivedAt, sentAt, deviceId, simSlot, ...test }
      return { event: facts.event, timestamp, data }
    }
    case 'sms.opted_out': {
      const { phoneNumber, since, by } = facts.data
      return { event: facts.event, timestamp, data: { phoneNumber, since, by, ...test } }
    }
    case 'device.online':
    case 'device.offline': {
      const { deviceId, name, status, lastSeen } = facts.data
      return { event: facts.event, timestamp, data: { deviceId, name, status, lastSeen, ...test } }
    }
    case 'incident.opened':
    case 'incident.taken':
    case 'incident.escalated':
    case 'incident.unanswered':
    case 'incident.closed':
      // The schema leaves out what it does not know.
      return { event: facts.event, timestamp, data: { ...v.parse(IncidentResource, facts.data), ...test } }
    case 'system.alarm':
    case 'system.recovered': {
      const { code, severity, subject, message, since } = facts.data
      return { event: facts.event, timestamp, data: { code, severity, subject, message, since, ...test } }
    }
  }
}
