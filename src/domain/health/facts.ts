/** Input of the rules: plain values, so that testing a rule needs no gateway. Times are wall clock. */
import type { HealthProblem, MachineFacts } from '#contracts/health.ts'
import type { DisabledReason } from '#contracts/notification.ts'
import type { CommitLoss } from '#contracts/thread-frames.ts'
import { ENGLISH, type Sentence, say } from '#contracts/words.ts'
import type { UsageKind } from '#domain/account/usage.ts'
import type { ClockFacts } from '#domain/clock/believed-clock.ts'
import type { Broken } from '#domain/drill/drill.ts'
import type { Forward } from '#domain/forward/forward.ts'

/** What the rules need to know about a phone. */
export interface PhoneFacts {
  readonly id: string
  readonly name: string
  /** Whether it is connected, or was connected or paired within the last `offline_after_s`. */
  readonly isOnline: boolean
  readonly lastSeenAt: number
  /** Whether its owner paused it. */
  readonly isPaused: boolean
  /** Whether it is a pretend phone: its agent prints texts instead of sending them. */
  readonly isPretend: boolean
  /** Why it cannot send; null: it can. */
  readonly trouble: string | null
  /** Whether the gateway itself found this trouble, so that it also concerns a phone that is offline. */
  readonly isFound: boolean
  /** Texts that it took and did not report as sent in time. */
  readonly overdueCount: number
  /** Percent. */
  readonly battery: number | null
  readonly charging: boolean | null
  /** How long a text added now would wait. */
  readonly expectedWaitMs: number
  /** What its caps allow and have used, segments. */
  readonly caps: readonly { readonly used: number; readonly max: number; readonly span: 'day' | 'month' }[]
  /** What is known since a planned drill and its repeat failed; null: its chain is not known to be broken. */
  readonly broken: Broken | null
  /** Whether a drill of it came back lately. */
  readonly isProven: boolean
  /** The outcomes of its last finished texts, newest first. */
  readonly outcomes: readonly FinishedText[]
}

export interface FinishedText {
  readonly hasFailed: boolean
  readonly at: number
}

/** Texts that ended in a way that the owner should check. */
export interface TextsToCheck {
  readonly count: number
  readonly firstAt: number
}

/** A webhook whose cap refused alerts, and when the first of them came. */
export interface OverCap {
  readonly webhookId: string
  readonly name: string
  readonly firstAt: number
}

export interface Quota {
  readonly kind: UsageKind
  readonly used: number
  /** -1: unlimited. */
  readonly limit: number
}

/** The facts of one account. */
export interface AccountFacts {
  readonly now: number
  readonly phones: readonly PhoneFacts[]
  /** Groups of phones of which none can send, and since when. */
  readonly downGroups: readonly {
    readonly id: string
    readonly name: string
    readonly since: number
    /** Whether other phones never send for it. */
    readonly isAlone: boolean
  }[]
  /** Texts that are ready for a phone; `oldestAt` null: none. */
  readonly waiting: { readonly count: number; readonly oldestAt: number | null }
  /** Recent texts that ended as OUTCOME_UNKNOWN; null: none. */
  readonly unknown: TextsToCheck | null
  /** Recent planned texts that expired while the gateway was off or by a wrong clock; null: none. */
  readonly plannedExpired: TextsToCheck | null
  /** Recent texts that ended as RETRY_BRAKE; null: none. */
  readonly braked: TextsToCheck | null
  /** Webhooks whose cap refused alerts recently. */
  readonly overCap: readonly OverCap[]
  readonly quotas: readonly Quota[]
  /** Since when the account gets more mails than it may. Null: it does not. */
  readonly mailRefusedSince: number | null
  readonly onCall: {
    /** Incidents that nobody took, or that have had as many texts as they may have. */
    readonly waiting: readonly {
      readonly id: string
      readonly number: number | null
      /** Of its webhook, or of the policy that is rehearsed. */
      readonly name: string
      readonly since: number
      /** Whether all rounds are over. */
      readonly isOver: boolean
    }[]
    /** The policies of webhooks that are enabled. */
    readonly policies: readonly {
      readonly id: string
      readonly name: string
      readonly rings: boolean
      /** The numbers of the steps that reach nobody now. */
      readonly emptySteps: readonly number[]
    }[]
    /** People who were told that no more texts about alerts come in this hour, and since when. */
    readonly overCap: readonly { readonly id: string; readonly name: string; readonly since: number }[]
    /** Whether the texts about alerts beyond the day of the plan are used up. */
    readonly isDayOver: boolean
    /** Whether a phone hands in received texts. */
    readonly canHearAnswers: boolean
    /** Whether a phone that can call counts as connected. */
    readonly canRing: boolean
  }
  readonly notifications: {
    readonly failingSince: number | null
    readonly disabledReason: DisabledReason | null
    readonly disabledAt: number | null
  } | null
  readonly forwards: readonly Pick<
    Forward,
    'id' | 'name' | 'failingSince' | 'disabledReason' | 'disabledAt'
  >[]
}

/** The facts of the gateway as a whole. */
export interface GatewayFacts extends MachineFacts {
  readonly now: number
  /** Since when SQLite finds the disk full. Null: it does not. */
  readonly diskFullSince: number | null
  /** What one of the last commits took, in the middle; null: too few are known. */
  readonly commitMs: number | null
  /** The last loss of commits. */
  readonly lost: CommitLoss | null
  /** Since when all connections for mails are in use. Null: they are not. */
  readonly mailRefusedSince: number | null
  readonly clock: ClockFacts
}

/** A problem that a rule found. `since` null: the problem starts when it is first found. */
export interface Finding extends Omit<HealthProblem, 'since'> {
  readonly since: number | null
}

/** The same as a rule says it, for any language. Default: a warning about the gateway or account itself. */
export interface FoundByRule
  extends Omit<Finding, 'message' | 'fix' | 'words' | 'severity' | 'subject'>,
    Partial<Pick<Finding, 'severity' | 'subject'>> {
  readonly message: Sentence
  readonly fix: Sentence
}

export type Rule<Facts> = (facts: Facts) => FoundByRule | readonly FoundByRule[]

/** What a rule found, in English and with its words for other languages. */
export function findingOf({ message, fix, ...found }: FoundByRule): Finding {
  const words = { message, fix } as Finding['words']
  const said = { message: say(ENGLISH, message), fix: say(ENGLISH, fix), words }
  return { severity: 'warning', subject: null, ...found, ...said }
}
