import type { AlertSeverity } from '#contracts/webhook.ts'

/** Hours in which a person is not told of mild alerts. */
export interface QuietHours {
  /** Local time of the person, `22:00`. A span may pass midnight. */
  readonly from: string
  readonly to: string
  /** Alerts milder than this wait. Critical ones, and ones of unknown severity, never do. */
  readonly below: Exclude<AlertSeverity, 'info'>
}

/** Somebody who can be told of incidents, as stored in the database. Times are wall-clock milliseconds. */
export interface Person {
  /** `per_…` */
  readonly id: string
  readonly accountId: string
  readonly name: string
  /** E.164. No two people of an account have the same. */
  readonly phoneNumber: string
  /** As in `AcceptMessage`. */
  readonly country: string | null
  /** A name of the IANA time zone database; null: the zone of this machine. */
  readonly timeZone: string | null
  readonly quiet: QuietHours | null
  readonly createdAt: number
}
