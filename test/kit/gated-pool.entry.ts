/** A pool whose threads are ready only once the named pipe POOL_GATE was written to. */
import { readFileSync } from 'node:fs'
import { runTask as run } from '#pool/run-task.ts'

export const runTask = run

readFileSync(process.env['POOL_GATE'] ?? '')
