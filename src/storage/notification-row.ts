import type { Failing } from '#domain/forward/failing.ts'
import type { Delivery, LoggedAttempt, NotificationSetting } from '#domain/notification/notification-store.ts'
import { type Codec, columnsOf, recordOf } from '#storage/columns.ts'
import type { Row } from '#storage/row.ts'

/** The columns about failures, which several tables have. */
const FAILING = { failingSince: 'plain', failedDays: 'json' } as const

export const SETTING_COLUMNS = columnsOf<NotificationSetting>({
  accountId: 'plain',
  url: 'plain',
  events: 'json',
  enabled: 'flag',
  secret: 'plain',
  secretShown: 'flag',
  disabledReason: 'plain',
  disabledAt: 'plain',
  ...FAILING,
})

/** Converts a row of the table `notification_setting`. */
export function settingOf(row: Row): NotificationSetting {
  return recordOf(row, SETTING_COLUMNS)
}

const FAILING_COLUMNS = columnsOf<Failing>(FAILING)

export function failingOf(row: Row): Failing {
  return recordOf(row, FAILING_COLUMNS)
}

type LogItem = [
  at: number,
  status: number | null,
  error: string | null,
  durationMs: number,
  /** Absent in rows that an earlier version wrote. */
  answer?: string | null,
]

/** Attempts as JSON arrays, without field names to save space. */
const LOG: Codec = {
  read: json =>
    (JSON.parse(String(json)) as LogItem[]).map(([at, status, error, durationMs, answer = null]) => ({
      at,
      status,
      error,
      durationMs,
      answer,
    })),
  write: (log: readonly LoggedAttempt[]) =>
    JSON.stringify(
      log.map(
        ({ at, status, error, durationMs, answer }) =>
          [at, status, error, durationMs, answer] satisfies LogItem,
      ),
    ),
}

export const DELIVERY_COLUMNS = columnsOf<Delivery>({
  id: 'plain',
  accountId: 'plain',
  event: 'plain',
  subjectId: 'plain',
  ownUrl: 'plain',
  forwardId: 'plain',
  lane: 'plain',
  body: 'plain',
  createdAt: 'plain',
  status: 'plain',
  attempts: 'plain',
  tries: 'plain',
  nextAt: 'plain',
  sentTo: 'plain',
  responseStatus: 'plain',
  error: 'plain',
  log: LOG,
})

/** Converts a row of the table `notification_delivery`. */
export function deliveryOf(row: Row): Delivery {
  return recordOf(row, DELIVERY_COLUMNS)
}
