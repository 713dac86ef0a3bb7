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
