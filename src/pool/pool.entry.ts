/** The entry file of each thread of the pool. A thread keeps nothing between two tasks. */
import { setFlagsFromString } from 'node:v8'
import { runTask as run } from '#pool/run-task.ts'
import { warmUp } from '#pool/warm-up.ts'

/** The package piscina calls this function by its name. */
export const runTask = run

// V8 then compiles an expression once, to machine code, and not to bytecode before: warming up costs half as
// much CPU, and alerts a fifth less. It holds for the whole process.
setFlagsFromString('--no-regexp-tier-up')
// A thread gets no task before this.
warmUp()
