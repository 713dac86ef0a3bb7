import type { AlertSeverity } from '#contracts/webhook.ts'
import type { OwnedRows, OwnedStore } from '#domain/owned-store.ts'

/** Whom incidents and alerts tell, by `OnCallKind`. */
export interface OnCallThings {
  readonly person: Person
  readonly rota: Rota
  readonly policy: Policy
  readonly group: Group
}

export type OnCallRows = { readonly [K in keyof OnCallThings]: OwnedRows<OnCallThings[K]> }
export type OnCallStore = { readonly [K in keyof OnCallThings]: OwnedStore<OnCallThings[K]> }

/** People under one name, as stored in the database. Times are wall-clock milliseconds. */
export interface Group {
  /** `grp_…` */
  readonly id: string
  readonly accountId: string
  readonly name: string
  /** Ids of people, each once. At least one. */
  readonly people: readonly string[]
  readonly createdAt: number
}

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

export type RingHours = Pick<QuietHours, 'from' | 'to'> | null

export interface PolicyStep {
  /** Minutes since the first step of the round. Rising; the first is 0. */
  readonly afterMinutes: number
  /** Ids of people and rotas, `rot_…+1`, or `everyone`. At least one. */
  readonly tell: readonly string[]
  /** Whether the phones of these people ring, too. */
  readonly ring: boolean
  /** When they ring, local time of each; absent or null: always. */
  readonly ringHours?: RingHours | undefined
}

/** Who is told of an incident, when, and how often. */
export interface Policy {
  /** `pol_…` */
  readonly id: string
  readonly accountId: string
  readonly name: string
  readonly steps: readonly PolicyStep[]
  /** How often all steps are walked. */
  readonly rounds: number
  /** After so many minutes, what was taken and is not over opens again. */
  readonly takenForMinutes: number
  /** The phone or group of phones that sends the texts; absent or null: as its webhook says. */
  readonly deviceId?: string | null
  readonly createdAt: number
}

/** A span in which another person is on call. Times are wall-clock milliseconds. */
export interface RotaOverride {
  /** `ovr_…` */
  readonly id: string
  readonly personId: string
  readonly from: number
  readonly until: number
}

/** Whose turn it is, as stored in the database. */
export interface Rota {
  /** `rot_…` */
  readonly id: string
  readonly accountId: string
  readonly name: string
  /** Ids of people in the order of their turns. */
  readonly people: readonly string[]
  /** Days of one turn. */
  readonly days: number
  /** When turns begin, in local time: `mon 09:00`. */
  readonly handover: string
  /** A name of the IANA time zone database; null: the zone of this machine. */
  readonly timeZone: string | null
  /** A handover at which the turn of the first person began. Wall-clock milliseconds. */
  readonly anchorAt: number
  readonly overrides: readonly RotaOverride[]
  readonly createdAt: number
}
