import { setImmediate } from 'node:timers/promises'

/**
 * Lets the event loop turn once, without sleeping: callbacks that are ready now have run afterwards. A test
 * calls this in a loop until something has happened, often between two advances of the manual clock.
 */
export function nextTurn(): Promise<void> {
  return setImmediate()
}
