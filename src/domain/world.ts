/**
 * The input of every use case: the transaction, the stores, the writer's memory, the time, and the list of
 * effects.
 */

import type { AccountEraser } from '#domain/account/account-eraser.ts'
import type { AccountStore } from '#domain/account/account-store.ts'
import type { CredentialStore } from '#domain/account/credential-store.ts'
import type { DayCounts } from '#domain/account/day-counts.ts'
import type { KeyTokenStore } from '#domain/account/key-token-store.ts'
import type { SessionStore } from '#domain/account/session.ts'
import type { Usage } from '#domain/account/usage.ts'
import type { UserStore } from '#domain/account/user-store.ts'
import type { AlarmStore } from '#domain/alarm/alarm-store.ts'
import type { AuditStore } from '#domain/audit/audit-store.ts'
import type { ChosenStore } from '#domain/chosen-configuration.ts'
import type { BelievedClock } from '#domain/clock/believed-clock.ts'
import type { ClockStore } from '#domain/clock/clock-store.ts'
import type { Deadlines } from '#domain/deadlines.ts'
import type { DeviceStore } from '#domain/device/device-store.ts'
import type { PairingTries } from '#domain/device/pairing-tries.ts'
import type { DeviceGroup } from '#domain/device/phone-group.ts'
import type { PhoneHistoryStore } from '#domain/device/phone-history.ts'
import type { DrillMemory } from '#domain/drill/drill-memory.ts'
import type { DrillStore } from '#domain/drill/drill-store.ts'
import type { Effect } from '#domain/effect.ts'
import type { Fleet } from '#domain/fleet.ts'
import type { Forward } from '#domain/forward/forward.ts'
import type { HealthMemory } from '#domain/health/health-memory.ts'
import type { HealthStore } from '#domain/health/health-store.ts'
import type { InboxStore } from '#domain/inbox/inbox-store.ts'
import type { IncidentStore } from '#domain/incident/incident-store.ts'
import type { WatchedAccounts } from '#domain/live/watched-accounts.ts'
import type { MessageStore } from '#domain/message/message-store.ts'
import type { OptOutStore } from '#domain/message/opt-out-store.ts'
import type { NotificationStore } from '#domain/notification/notification-store.ts'
import type { Outbox } from '#domain/notification/outbox.ts'
import type { OnCallStore } from '#domain/on-call/on-call-store.ts'
import type { RecentUseStore } from '#domain/on-call/recent-use.ts'
import type { OwnedStore } from '#domain/owned-store.ts'
import type { RetentionStore } from '#domain/retention/retention-store.ts'
import type { Settings } from '#domain/settings.ts'
import type { Source } from '#domain/source.ts'
import type { Now } from '#domain/time.ts'
import type { OpenCodes } from '#domain/two-factor/open-codes.ts'
import type { TwoFactorStore } from '#domain/two-factor/two-factor-store.ts'
import type { Tx } from '#domain/tx.ts'
import type { SeenTriggerStore } from '#domain/webhook/seen-trigger-store.ts'
import type { WebhookStore } from '#domain/webhook/webhook-store.ts'

export interface Stores {
  readonly accountEraser: AccountEraser
  readonly accounts: AccountStore
  readonly alarms: AlarmStore
  readonly audit: AuditStore
  readonly chosen: ChosenStore
  readonly clockRows: ClockStore
  readonly credentials: CredentialStore
  readonly devices: DeviceStore
  /** The writer keeps them in memory, too. */
  readonly deviceGroups: Pick<OwnedStore<DeviceGroup>, 'save' | 'remove'>
  readonly drills: DrillStore
  readonly forwards: OwnedStore<Forward>
  readonly healthRows: HealthStore
  readonly inbox: InboxStore
  readonly incidents: IncidentStore
  readonly keyTokens: KeyTokenStore
  readonly messages: MessageStore
  readonly notifications: NotificationStore
  readonly onCall: OnCallStore
  readonly optOuts: OptOutStore
  readonly sessions: SessionStore
  readonly twoFactor: TwoFactorStore
  readonly phoneHistory: PhoneHistoryStore
  readonly recentUses: RecentUseStore
  readonly users: UserStore
  readonly retention: RetentionStore
  readonly webhooks: WebhookStore
  readonly seenTriggers: SeenTriggerStore
}

export interface World extends Stores {
  readonly tx: Tx
  /** The time of the transaction. It does not change while the transaction runs. */
  readonly now: Now
  readonly source: Source
  readonly settings: Settings
  readonly fleet: Fleet
  readonly usage: Usage
  readonly dayCounts: DayCounts
  readonly deadlines: Deadlines
  readonly outbox: Outbox
  readonly openCodes: OpenCodes
  readonly pairingTries: PairingTries
  readonly clock: BelievedClock
  readonly watched: WatchedAccounts
  readonly health: HealthMemory
  readonly drillMemory: DrillMemory
  /** Whether the gateway is stopping. Phones then finish the messages they began and get no new ones. */
  readonly stopping: boolean
  /** Whether the disk is full, so that this transaction may write nothing. */
  readonly readOnly: boolean
  /** Use cases append effects here; they are carried out after the commit. */
  readonly effects: Effect[]
}
