/** The entry file of each thread of the pool. A thread keeps nothing between two tasks. */
import { runTask as run } from '#pool/run-task.ts'
import { warmUp } from '#pool/warm-up.ts'

/** The package piscina calls this function by its name. */
export const runTask = run

// A thread gets no task before this.
warmUp()
