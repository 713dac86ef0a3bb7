import type { Move } from '#domain/clock/believed-clock.ts'
import type { Tx } from '#domain/tx.ts'

/** What the database knows of the time. */
export interface SeenClock {
  /** The last time that had surely come, wall clock; 0: none yet. */
  readonly seenAt: number
  /** For how long the gateway has run since with a clock in doubt. */
  readonly heldMs: number
}

export interface ClockStore {
  read(): SeenClock
  save(tx: Tx, clock: SeenClock): void
  /** Corrects all times of the past that were written since `from`. */
  redate(tx: Tx, move: Pick<Move, 'from' | 'ms'>): void
}
