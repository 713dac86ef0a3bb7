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
