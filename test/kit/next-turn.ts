import { setImmediate } from 'node:timers/promises'

/**
 * Lets the event loop turn once: callbacks that are ready now have run afterwards. It does not sleep. A test
 * calls it in a loop until something has happened, often between two steps of a clock that it moves itself.
 */
export function nextTurn(): Promise<void> {
  return setImmediate()
}
