import type { DatabaseSync } from 'node:sqlite'
import type { Stores } from '#domain/world.ts'
import { openAccountEraser } from '#storage/account-eraser.ts'
import { openAccountTotals } from '#storage/account-totals.ts'
import { openAccountStore } from '#storage/account-writer.ts'
import { openAlarmStore } from '#storage/alarm-writer.ts'
import { openAuditStore } from '#storage/audit-store.ts'
import { openChosenStore } from '#storage/chosen-store.ts'
import { openClockStore } from '#storage/clock-writer.ts'
import { openCredentialStore } from '#storage/credential-store.ts'
import { openDeviceStore } from '#storage/device-writer.ts'
import { openDrillStore } from '#storage/drill-store.ts'
import { openForwardStore } from '#storage/forward-store.ts'
import { openHealthStore } from '#storage/health-reader.ts'
import { openInboxStore } from '#storage/inbox-writer.ts'
import { openIncidentStore } from '#storage/incident-store.ts'
import { writeJsonTable } from '#storage/json-table.ts'
import { openKeyTokenStore } from '#storage/key-token-writer.ts'
import { openMessageStore } from '#storage/message-writer.ts'
import { openNotificationStore } from '#storage/notification-writer.ts'
import { openOnCallStore } from '#storage/on-call-store.ts'
import { openOptOutStore } from '#storage/opt-out-store.ts'
import { openPhoneHistoryStore } from '#storage/phone-history.ts'
import { openRecentUseStore } from '#storage/recent-use-store.ts'
import { openRetentionStore } from '#storage/retention-writer.ts'
import { openSeenTriggerStore } from '#storage/seen-trigger-writer.ts'
import { openSessionStore } from '#storage/session-store.ts'
import { openTwoFactorStore } from '#storage/two-factor-writer.ts'
import { openUserStore } from '#storage/user-store.ts'
import { openWebhookStore } from '#storage/webhook-writer.ts'

/** The stores of the writer, on its connection. */
export function openStores(database: DatabaseSync): Stores {
  const totals = openAccountTotals(database)
  return {
    accountEraser: openAccountEraser(database),
    notifications: openNotificationStore(database, totals),
    twoFactor: openTwoFactorStore(database),
    retention: openRetentionStore(database),
    accounts: openAccountStore(database),
    alarms: openAlarmStore(database),
    audit: openAuditStore(database, totals),
    chosen: openChosenStore(database),
    clockRows: openClockStore(database),
    users: openUserStore(database),
    credentials: openCredentialStore(database),
    keyTokens: openKeyTokenStore(database),
    devices: openDeviceStore(database),
    deviceGroups: writeJsonTable(database, 'device_group'),
    drills: openDrillStore(database),
    forwards: openForwardStore(database),
    healthRows: openHealthStore(database),
    inbox: openInboxStore(database, totals),
    phoneHistory: openPhoneHistoryStore(database),
    incidents: openIncidentStore(database),
    onCall: openOnCallStore(database),
    optOuts: openOptOutStore(database, totals),
    recentUses: openRecentUseStore(database),
    messages: openMessageStore(database),
    sessions: openSessionStore(database),
    webhooks: openWebhookStore(database),
    seenTriggers: openSeenTriggerStore(database, totals),
  }
}
