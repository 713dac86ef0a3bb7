import type { QuietHours } from '#domain/on-call/person.ts'

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
