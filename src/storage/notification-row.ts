import type { DeliveryStatus, DisabledReason } from '#contracts/notification.ts'
import type { NotificationEventName } from '#contracts/notification-event.ts'
import type { Failing } from '#domain/forward/failing.ts'
import type { Delivery, LoggedAttempt, NotificationSetting } from '#domain/notification/notification-store.ts'
import { numberOrNull, type Row, text, textOrNull } from '#storage/row.ts'

/** Converts a row of the table `notification_setting`. */
export function settingOf(row: Row): NotificationSetting {
  return {
    accountId: text(row['account_id']),
    url: textOrNull(row['url']),
    events: JSON.parse(text(row['events'])) as NotificationEventName[],
    enabled: row['enabled'] === 1,
    secret: text(row['secret']),
    secretShown: row['secret_shown'] === 1,
    disabledReason: textOrNull(row['disabled_reason']) as DisabledReason | null,
    disabledAt: numberOrNull(row['disabled_at']),
    ...failingOf(row),
  }
}

/** Converts the columns about failures, which several tables have. */
export function failingOf(row: Row): Failing {
  return {
    failingSince: numberOrNull(row['failing_since']),
    failedDays: JSON.parse(text(row['failed_days'])) as number[],
  }
}

/** Converts a row of the table `notification_delivery`. */
export function deliveryOf(row: Row): Delivery {
  return {
    id: text(row['id']),
    accountId: text(row['account_id']),
    event: text(row['event']) as NotificationEventName,
    subjectId: text(row['subject_id']),
    ownUrl: textOrNull(row['own_url']),
    forwardId: textOrNull(row['forward_id']),
    lane: text(row['lane']),
    body: text(row['body']),
    createdAt: Number(row['created_at']),
    status: text(row['status']) as DeliveryStatus,
    attempts: Number(row['attempts']),
    tries: Number(row['tries']),
    nextAt: Number(row['next_at']),
    sentTo: textOrNull(row['sent_to']),
    responseStatus: numberOrNull(row['response_status']),
    error: textOrNull(row['error']),
    log: logOf(text(row['log'])),
  }
}

type LogItem = [
  at: number,
  status: number | null,
  error: string | null,
  durationMs: number,
  /** Absent in rows that an earlier version wrote. */
  answer?: string | null,
]

/** Converts attempts to JSON arrays, without field names to save space. */
export function logText(log: readonly LoggedAttempt[]): string {
  return JSON.stringify(
    log.map(
      ({ at, status, error, durationMs, answer }) =>
        [at, status, error, durationMs, answer] satisfies LogItem,
    ),
  )
}

function logOf(json: string): LoggedAttempt[] {
  return (JSON.parse(json) as LogItem[]).map(([at, status, error, durationMs, answer = null]) => ({
    at,
    status,
    error,
    durationMs,
    answer,
  }))
}
