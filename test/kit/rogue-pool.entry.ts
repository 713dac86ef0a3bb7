/** A task file for the pool. Its tasks misbehave as their input says. */
import { threadId } from 'node:worker_threads'
import type { PoolTask } from '#contracts/pool-tasks.ts'

/** `hang`, `throw`, `exit`, or an array to wait on. Any other input returns the number of the thread. */
export function runTask({ input }: PoolTask): unknown {
  const order = (input as { readonly password: string | Int32Array }).password
  if (order === 'hang') for (;;);
  if (order === 'throw') throw new Error('thrown on purpose')
  if (order === 'exit') process.exit(3)
  if (typeof order !== 'string') return waitFor(order)
  return threadId
}

/** Signals that the task began, then waits until it may end. */
function waitFor(gate: Int32Array): number {
  Atomics.add(gate, 1, 1)
  Atomics.notify(gate, 1)
  Atomics.wait(gate, 0, 0)
  return threadId
}
