/** The limits of an account. -1: unlimited. */
export interface Plan {
  readonly name: string
  readonly smsPerDay: number
  readonly twoFactorPerDay: number
  readonly callsPerMinute: number
  readonly devices: number
  readonly notifications: boolean
}
