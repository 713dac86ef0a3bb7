import { DRILL_OUTCOMES, type DrillOutcome } from '#contracts/drill.ts'
import { StagedCounts } from '#domain/staged-counts.ts'

interface Look {
  /** Monotonic. */
  readonly at: number
  /** Whether the receiving phone could hand in a text then. */
  readonly isHeard: boolean
}

/** What keeps a planned drill from beginning, and since when, on the monotonic clock. */
interface Hindered {
  readonly day: number
  readonly since: number
  readonly words: string
}

/** What the writer knows of drills without rows. After a restart it is not known. */
export class DrillMemory extends StagedCounts<DrillOutcome> {
  /** When a phone last got `go` for the text of a drill, by message; monotonic. */
  readonly goes = new Map<string, number>()
  /** The last look at each drill that is under way. */
  readonly looks = new Map<string, Look>()
  /** By phone. */
  readonly hindered = new Map<string, Hindered>()

  constructor() {
    super(DRILL_OUTCOMES)
  }
}
