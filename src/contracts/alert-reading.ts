/** How an alert was read, as the pool returns it. */
import type { AlertFormat, AlertSeverity, AlertState } from '#contracts/webhook.ts'

/** What a field of an alert says. */
export const FIELD_ROLES = ['thing', 'state', 'reason', 'severity'] as const
export type FieldRole = (typeof FIELD_ROLES)[number]

/** A value of a body. */
export interface AlertField {
  /** The path by which a template reaches it: `alerts.0.name`. */
  readonly path: string
  readonly value: string
  /** What Roost takes it for, or what the owner has settled. */
  readonly role: FieldRole | null
}

/** The paths that the owner has settled for one shape of bodies. */
export interface SettledRoles {
  readonly thing?: string
  readonly state?: string
  readonly reason?: string
}

/** The settled roles of a webhook, by shape. */
export type AlertReadings = Readonly<Record<string, SettledRoles>>

/** How an alert was read. */
export interface AlertReading {
  /** Whether no sender was recognised and no role is settled, so that the roles were guessed. */
  readonly guess: boolean
  /** At most 200, the outermost first. */
  readonly fields: readonly AlertField[]
  /** A name for bodies with the same paths. The length of a list does not count. */
  readonly shape: string
  /**
   * What the alert is about, the same for an alarm and its end: the sender's own key (`id:…`), or else the
   * words of the thing (`thing:…`). Null: the alert names neither.
   */
  readonly key: string | null
  /** The thing, as a person reads it. */
  readonly subject: string | null
  /** The address that AWS SNS asks to open before it sends anything. Null for every other body. */
  readonly confirmationUrl: string | null
}

export interface RenderedAlert {
  /** One line of 1 to `ALERT_LENGTH_MAX` UTF-16 code units, without control characters. */
  readonly message: string
  readonly format: AlertFormat
  /** Null: the alert does not say, or says several. */
  readonly severity: AlertSeverity | null
  readonly state: AlertState | null
  /** Null: the alert could not be read in time, and the text is the start of the body. */
  readonly reading: AlertReading | null
}
