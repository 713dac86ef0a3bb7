/** What an account may do. -1 is unlimited. */
export interface Plan {
  readonly name: string
  readonly smsPerDay: number
  readonly twoFactorPerDay: number
  readonly callsPerMinute: number
  readonly devices: number
  readonly notifications: boolean
}
