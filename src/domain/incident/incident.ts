import type { IncidentHappening, IncidentState } from '#contracts/incident.ts'
import type { AlertSeverity } from '#contracts/webhook.ts'
import type { Policy, RingHours } from '#domain/on-call/on-call-store.ts'

/** Events that settle when something is due next. */
export const SETTLING: ReadonlySet<IncidentHappening> = new Set([
  'opened',
  'escalated',
  'nobody',
  'quiet',
  'taken',
  'passed',
  'reopened',
  'unanswered',
])

export interface IncidentEntry {
  /** Wall-clock milliseconds. */
  readonly at: number
  readonly event: IncidentHappening
  readonly personId: string | null
  readonly messageId: string | null
  readonly detail: string | null
}

/** A thing that the alerts of an incident are about. */
export interface IncidentThing {
  /** Null: the alert named nothing, so nobody will say that it is over. */
  readonly key: string | null
  /** As a person reads it. Absent: it stands for a group, or is from before names were noted. */
  readonly name?: string
  readonly isOver: boolean
}

/** A thing whose end waits to be told. */
export interface EndedThing {
  readonly key: string | null
  readonly name: string
}

/** Things that joined and that no text has told yet. */
interface JoinedThings {
  /** When the last such text was sent. Wall-clock milliseconds. */
  readonly since: number
  /** Of the only alert about them, if it is about nothing else; null: their names are told. */
  readonly text: string | null
  readonly guess: boolean
  /** The name that their group has; null: they have none in common. */
  readonly group: string | null
  /** Of the first ones. */
  readonly names: readonly string[]
  readonly count: number
}

/** An alert that waits until somebody takes it. Times are wall-clock milliseconds. */
export interface Incident {
  /** `inc_…` */
  readonly id: string
  readonly accountId: string
  /** Null: a rehearsal. */
  readonly webhookId: string | null
  readonly policyId: string
  /** The policy as it was when the incident opened: what began goes on as it began. */
  readonly plan: Pick<Policy, 'steps' | 'rounds' | 'takenForMinutes'>
  readonly state: IncidentState
  /**
   * 2 to 99, by which an answer names it. A closed incident keeps it, so that no other gets it within the
   * hour; people see it only while the incident is not closed. Null: all numbers were in use.
   */
  readonly number: number | null
  /** The text of the alert that was the worst, without the line that asks for an answer. */
  readonly text: string
  /** Whether Roost worded that text by a guess. Absent: it did not. */
  readonly guess?: boolean
  /** The key of the alert that opened it. */
  readonly key: string | null
  /** What it is about, beginning with `key`. It is over when each of its things is. */
  readonly things: readonly IncidentThing[]
  readonly severity: AlertSeverity | null
  /** How many alerts it stands for. */
  readonly alerts: number
  readonly isRehearsal: boolean
  readonly openedAt: number
  /** The last alert that joined. */
  readonly alertAt: number
  /** A person's id, or `owner`. */
  readonly takenBy: string | null
  readonly takenAt: number | null
  readonly takenUntil: number | null
  readonly closedAt: number | null
  /** A person's id, `owner` or `sender`. Null: it is not closed, or was closed by itself. */
  readonly closedBy: string | null
  /** Counts from 1. */
  readonly round: number
  /** The index of the next step; the number of steps: all steps of this round were walked. */
  readonly nextStep: number
  /**
   * When the round began: the steps of the round are due relative to this. Of an unanswered one: when it
   * became so.
   */
  readonly roundAt: number
  /**
   * When something is to be done: a step, a ring, the end of a round or of the taker's time. One in the past
   * waits for a phone that can send. Null: closed.
   */
  readonly dueAt: number | null
  /** Texts and rings about it so far, except those that end it and replies. */
  readonly texts: number
  /** How many of the texts each person got. Absent: none since the bound is known. */
  readonly heard?: Readonly<Record<string, number>>
  readonly rings: number
  /** Whether a rise of the severity was told. */
  readonly isRisen?: true
  /** Absent: nothing joined. */
  readonly also?: JoinedThings
  /** When a bound of it last held back a text or a ring about it. Absent: none did. */
  readonly boundAt?: number
  /** People whose text about the end of earlier things was taken back. Absent: none. */
  readonly heirs?: readonly string[]
  /** The first things of a closed one of which texts that tell its end had to wait. Absent: none had. */
  readonly ended?: readonly EndedThing[]
  /** Which texts that end it were sent: the first of each is free, further ones count in `texts`. */
  readonly endings: readonly ('taken' | 'unanswered')[]
  /** The step waits until then, because all its people are quiet. */
  readonly quietUntil: number | null
  /**
   * People who were told at once, as recipients of the webhook. The steps after the first one leave them out
   * in the first round. Absent: none.
   */
  readonly atOnce?: readonly string[]
  /** People who said no in this round. */
  readonly refused: readonly string[]
  /** Whose phone rings a second time in this step, and when. */
  readonly ringAgain: readonly {
    readonly personId: string
    readonly at: number
    readonly hours?: RingHours
  }[]
  /** People who were told of it, in order. Only they can answer. */
  readonly told: readonly string[]
  /** Texts that have not failed for good: of the last step, and those that people got at once beside it. */
  readonly pending: readonly {
    readonly messageId: string
    readonly personId: string
    readonly isBeside?: true
  }[]
  readonly timeline: readonly IncidentEntry[]
}

/** Whether its alert may be bad: it is critical, or of unknown severity. A rehearsal is not. */
export function isUrgent({ severity, isRehearsal }: Pick<Incident, 'severity' | 'isRehearsal'>): boolean {
  return !isRehearsal && (severity === null || severity === 'critical')
}

/** What queries about many incidents read: all that is not long. */
export type IncidentHead = Omit<Incident, 'things' | 'timeline'>
