import { DRILL_OUTCOMES, type DrillOutcome } from '#contracts/drill.ts'

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
export class DrillMemory {
  /** When a phone last got `go` for the text of a drill, by message; monotonic. */
  readonly goes = new Map<string, number>()
  /** The last look at each drill that is under way. */
  readonly looks = new Map<string, Look>()
  /** By phone. */
  readonly hindered = new Map<string, Hindered>()
  readonly #counts = new Map<DrillOutcome, number>(DRILL_OUTCOMES.map(outcome => [outcome, 0]))
  #staged: DrillOutcome[] = []

  /** Counts an outcome, once the transaction is committed. */
  count(outcome: DrillOutcome): void {
    this.#staged.push(outcome)
  }

  commit(): void {
    for (const outcome of this.#staged) this.#counts.set(outcome, (this.#counts.get(outcome) ?? 0) + 1)
    this.#staged = []
  }

  discard(): void {
    this.#staged = []
  }

  entries(): Iterable<readonly [DrillOutcome, number]> {
    return this.#counts
  }
}
