import type { Recipient } from '#contracts/commands.ts'
import type { Plan } from '#domain/account/plan.ts'

/** What the configuration says to decisions. */
export interface Settings {
  readonly offlineAfterMs: number
  readonly segmentsPerMinute: number
  readonly segmentsBurst: number
  readonly messageTtlMs: number
  /** Texts and numbers are removed after this. */
  readonly retentionMs: number
  /** Two capital letters, or nothing; of numbers that are written without their country. */
  readonly defaultCountry: string
  /** One-time codes to one number in ten minutes; -1: unlimited. */
  readonly codesPerNumber: number
  readonly publicUrl: string
  /** Who is texted when something is wrong. */
  readonly alarmRecipients: readonly Recipient[]
  plan(name: string): Plan | undefined
  readonly planNames: readonly string[]
}
