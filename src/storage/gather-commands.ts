import { COMMANDS_PER_BATCH_MAX } from '#contracts/bounds.ts'

/**
 * The writer gathers commands after a transaction of more commands than this. A lower number would slow down
 * callers with few connections: while all their connections wait for an answer, no more commands arrive.
 */
export const GATHERING_COMMANDS_MIN = 64
/** Longest time for which the writer gathers commands, milliseconds. */
export const GATHERING_MS_MAX = 4
/** The time between two looks at the queue, milliseconds; Node's shortest timer. */
const STEP_MS = 1

export interface GatheringPorts {
  /** Commands in the last transaction. */
  readonly lastBatch: number
  /** Commands that no transaction has taken yet. */
  readonly waiting: () => number
  /** A timer that fires once. */
  readonly setTimer: (wake: () => void, inMs: number) => void
}

/**
 * Calls `done` when the next transaction should begin: in the next turn of the event loop, or, after a large
 * transaction, when no more commands arrive. A large part of a commit costs the same for one command and for
 * a hundred, so larger transactions take less processor time for each command.
 */
export function gatherCommands({ lastBatch, waiting, setTimer }: GatheringPorts, done: () => void): void {
  if (lastBatch <= GATHERING_COMMANDS_MIN) return void setImmediate(done)
  const look = (before: number, gatheredMs: number): void => {
    const now = waiting()
    if (now === before || now >= COMMANDS_PER_BATCH_MAX || gatheredMs >= GATHERING_MS_MAX) return done()
    setTimer(() => look(now, gatheredMs + STEP_MS), STEP_MS)
  }
  look(-1, 0)
}
