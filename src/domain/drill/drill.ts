/** What a drill is: a text that a phone sends to one of its account. Times are wall-clock milliseconds. */
import type { DrillOutcome, DrillPeriod, DrillResource } from '#contracts/drill.ts'
import { isProvenAt } from '#contracts/proven.ts'
import { DAY_MS, instant, instantOrNull } from '#domain/time.ts'

/** The time to live of its text, and how long the text may take to come back once it left. */
export const DRILL_MS = 900_000
/** For so long a drill waits for what keeps it from beginning or ending. */
export const DRILL_WAIT_MS_MAX = 6 * 3_600_000
/** A text that comes within this time of a failure shows that the chain is slow. */
export const LATE_MS_MAX = 7 * DAY_MS

export interface Drill {
  readonly id: string
  readonly accountId: string
  readonly deviceId: string
  /** The phone that must get the text; null: it was skipped before that was known. */
  readonly toDeviceId: string | null
  /** Null: it has not begun, or was skipped. */
  readonly messageId: string | null
  readonly code: string | null
  readonly by: 'plan' | 'hand'
  /** The local date for which it was planned, whole days since 1970; null: for none. */
  readonly day: number | null
  /**
   * Of a planned one that failed follow, with its id in `firstId`: the repeat, the text to a third phone, and
   * the text from that phone.
   */
  readonly role: 'first' | 'repeat' | 'out' | 'in'
  readonly firstId: string | null
  readonly at: number
  /** Whether its text left, or may have. */
  readonly hasLeft: boolean
  /** For so long the gateway and the receiving phone waited for the text; below 0: until it begins. */
  readonly waitedMs: number
  /** For so long the gateway has run since the drill was made. */
  readonly openMs: number
  /** Null: it is under way. */
  readonly outcome: DrillOutcome | null
  /** A sentence. While it is under way: the last reason of the phone. */
  readonly reason: string | null
  readonly tookMs: number | null
  readonly endedAt: number | null
}

/** When drills of a phone run by themselves. */
export interface StoredPlan {
  readonly every: DrillPeriod
  readonly at: string
  readonly to: string | null
  readonly simSlot: number | null
  /** When the plan was made, and on which local date, whole days since 1970. */
  readonly madeAt: number
  readonly madeDay: number
}

/** What is known after a planned drill and its repeat have failed. */
export interface Broken {
  /**
   * `sending`: the phone does not send. `receiving`: the other phone does not receive. `either`: nothing
   * tells which. `own`: a text to its own number left, and did not come.
   */
  readonly half: 'sending' | 'receiving' | 'either' | 'own'
  readonly since: number
  /** The name of the phone that should have got the texts. */
  readonly other: string
  readonly otherId: string | null
}

/** What drills have shown of a phone. */
export interface Proof {
  readonly sends: number | null
  readonly receives: number | null
  readonly tookMs: number | null
  /** Whether a drill by hand to the number that its owner wrote down came back. */
  readonly isNumberProven: boolean
  readonly broken: Broken | null
}

/** Whether its text goes to a third phone, or from it: that says which half is broken, and no more. */
export function isCross({ role }: Pick<Drill, 'role'>): boolean {
  return role === 'out' || role === 'in'
}

const NO_PROOF: Proof = { sends: null, receives: null, tookMs: null, isNumberProven: false, broken: null }

/** The part of a phone's row that drills change. */
interface Proved {
  readonly proof: Proof | null
  readonly drill: StoredPlan | null
}

export function proofOf({ proof }: Pick<Proved, 'proof'>): Proof {
  return proof ?? NO_PROOF
}

/** Whether a text of the phone came back lately. */
export function isProven(device: Proved, wallMs: number): boolean {
  return isProvenAt(proofOf(device).sends, device.drill, wallMs)
}

/** Whether it is known that texts of the phone do not leave, so that others send where there are others. */
export function isKnownMute({ proof }: Pick<Proved, 'proof'>): boolean {
  return proof?.broken?.half === 'sending'
}

export function describeDrill(drill: Drill): DrillResource {
  const { id, at, deviceId, toDeviceId, messageId, by, outcome, reason, tookMs, endedAt } = drill
  const shown = { id, at: instant(at), deviceId, toDeviceId, messageId, by, outcome }
  return { ...shown, reason: outcome === null ? null : reason, tookMs, endedAt: instantOrNull(endedAt) }
}
