import type { Writer } from '#contracts/commands.ts'
import type { Language } from '#contracts/words.ts'
import type { DayCountReader } from '#domain/account/day-counts.ts'
import type { UsageReader } from '#domain/account/describe-usage.ts'
import type { Plan } from '#domain/account/plan.ts'
import type { PhoneHistoryReader } from '#domain/device/phone-history.ts'
import type { Forward } from '#domain/forward/forward.ts'
import type { InboxReader } from '#domain/inbox/inbox-reader.ts'
import type { IncidentRows } from '#domain/incident/incident-store.ts'
import type { MessageReader } from '#domain/message/message-reader.ts'
import type { OptOutReader } from '#domain/message/opt-out-store.ts'
import type { DeliveryReader } from '#domain/notification/delivery-reader.ts'
import type { OnCallRows } from '#domain/on-call/on-call-store.ts'
import type { OwnedRows } from '#domain/owned-store.ts'
import type { PhoneNumberCache } from '#domain/phone-number/phone-number-cache.ts'
import type { SeenTriggerReader } from '#domain/webhook/seen-trigger-store.ts'
import type { WebhookReader } from '#domain/webhook/webhook-store.ts'
import type { SearchTurns } from '#transport/http/search-turns.ts'

/** What the routes of a listener call. Each names those that it needs. */
export interface RoutePorts {
  readonly writer: Writer
  // The readers of the database. Each answer is as fresh as the last commit.
  readonly dayCounts: DayCountReader
  readonly deliveries: DeliveryReader
  readonly forwards: OwnedRows<Forward>
  readonly inbox: InboxReader
  readonly incidents: IncidentRows
  readonly messages: MessageReader
  readonly onCall: OnCallRows
  readonly optOuts: OptOutReader
  readonly phoneHistory: PhoneHistoryReader
  readonly seenTriggers: SeenTriggerReader
  readonly usage: UsageReader
  readonly webhooks: WebhookReader
  readonly numbers: PhoneNumberCache
  readonly searches: SearchTurns
  readonly plan: (name: string) => Plan
  /** `messages.default_country`, for numbers without a country code: two letters or empty. */
  readonly defaultCountry: () => string
  /** `messages.short_codes`. */
  readonly shortCodes: () => boolean
  /** `messages.language`. */
  readonly language: () => Language
  /** The time zone of a person or a rota without one. */
  readonly machineZone: () => string
  /** Says why a URL is refused as a target; null: it is allowed. */
  readonly refusalOfTarget: (url: string, isSandbox: boolean) => string | null
  /** Whether `[mail]` names a server. */
  readonly canMail: () => boolean
  readonly wallMs: () => number
}
