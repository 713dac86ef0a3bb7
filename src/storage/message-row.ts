import type { Encoding, MessageKind, MessageStatus } from '#contracts/primitives.ts'
import type { Failure, Message, TimelineEntry } from '#domain/message/message.ts'
import { numberOrNull, type Row, text, textOrNull } from '#storage/row.ts'

/** Converts a row of the table `message`. */
export function messageOfRow(row: Row): Message {
  return {
    id: text(row['id']),
    accountId: text(row['account_id']),
    test: row['test'] === 1,
    kind: text(row['kind']) as MessageKind,
    phoneNumber: text(row['phone_number']),
    country: textOrNull(row['country']),
    text: text(row['text']),
    segments: Number(row['segments']),
    encoding: text(row['encoding']) as Encoding,
    priority: row['priority'] === 'high' ? 'high' : 'normal',
    simSlot: numberOrNull(row['sim_slot']),
    pinned: row['pinned'] === 1,
    deviceGroupId: textOrNull(row['device_group_id']),
    createdAt: Number(row['created_at']),
    sendAt: numberOrNull(row['send_at']),
    expiresAt: Number(row['expires_at']),
    notificationUrl: textOrNull(row['notification_url']),
    webhookId: textOrNull(row['webhook_id']),
    guess: row['guess'] === 1,
    despiteOptOut: row['despite_opt_out'] === 1,
    status: text(row['status']) as MessageStatus,
    deviceId: textOrNull(row['device_id']),
    attempt: Number(row['attempt']),
    notBefore: Number(row['not_before']),
    sentAt: numberOrNull(row['sent_at']),
    deliveredAt: numberOrNull(row['delivered_at']),
    failure: row['failure'] === null ? null : (JSON.parse(text(row['failure'])) as Failure),
    timeline: timelineOf(text(row['timeline'])),
  }
}

function timelineOf(json: string): readonly TimelineEntry[] {
  return (JSON.parse(json) as [MessageStatus, number, string?][]).map(([status, at, deviceId]) =>
    deviceId === undefined ? { status, at } : { status, at, deviceId },
  )
}
