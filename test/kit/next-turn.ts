import { setImmediate } from 'node:timers/promises'
import { realPause } from '#test/kit/real-pause.ts'

/** Of so many turns one lasts a millisecond. */
const LONG_TURN_EVERY = 8
const LOOKED_EVERY_MS = 5
let turns = 0

/**
 * Lets the event loop turn once: callbacks that are ready now have run afterwards. A test
 * calls this in a loop until something has happened, often between two advances of the manual clock. What it
 * waits for may come from a thread or a process, so such a loop leaves them the processor.
 */
export function nextTurn(): Promise<void> {
  turns += 1
  return turns % LONG_TURN_EVERY === 0 ? realPause(1) : setImmediate()
}

/** Between two questions to a thread or a process that has to do something first, and tells nobody. */
export function nextLook(): Promise<void> {
  return realPause(LOOKED_EVERY_MS)
}
