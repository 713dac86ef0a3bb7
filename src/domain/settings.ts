import type { PairingAuthority } from '#contracts/device.ts'
import type { Recipient } from '#contracts/webhook-commands.ts'
import type { Language } from '#contracts/words.ts'
import type { Plan } from '#domain/account/plan.ts'

/** The part of the configuration that decisions use. */
export interface Settings {
  readonly offlineAfterMs: number
  readonly segmentsPerMinute: number
  readonly segmentsBurst: number
  /** How many messages may be open. The writer keeps all of them in memory. */
  readonly messagesOpenMax: number
  readonly messageTtlMs: number
  /** Milliseconds after which texts and numbers are removed. */
  readonly retentionMs: number
  /** Milliseconds after which the rows without text and number are deleted; at least `retentionMs`. */
  readonly recordsMs: number
  /** The country of numbers without + or 00, in two capital letters. Empty: none. */
  readonly defaultCountry: string
  /** The countries whose numbers get texts that a call asks for; empty: all. */
  readonly countries: readonly string[]
  /** Whether texts may go to numbers of 3 to 6 digits. */
  readonly shortCodes: boolean
  /** In lower case. */
  readonly stopWords: readonly string[]
  readonly confirmOptOut: boolean
  /** How many one-time codes a number gets in ten minutes. -1: unlimited. */
  readonly codesPerNumber: number
  readonly publicUrl: string
  /** In which Roost texts people. */
  readonly language: Language
  /** Null: HTTPS is off, or its certificate is not from the gateway's own authority. */
  readonly authority: PairingAuthority | null
  /** The time zone of this machine, such as Europe/Rome. Alarms tell times in it. */
  timeZone(): string
  /** Numbers to text when something is wrong; null: those that the owner chose at the API. */
  readonly alarmRecipients: readonly Recipient[] | null
  /** The fields of `ConfigurationChange` that file and environment say, such as `backup.keepDays`. */
  readonly fixed: readonly string[]
  /** The plan of accounts that are made without one. */
  readonly defaultPlan: string
  plan(name: string): Plan | undefined
  readonly planNames: readonly string[]
}
