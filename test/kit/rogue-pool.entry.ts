/** A task file for the pool. Its tasks misbehave as their input says. */
import { threadId } from 'node:worker_threads'
import type { PoolTask } from '#contracts/pool-tasks.ts'

/** CPU time of the order `work`. */
const WORK_CPU_MS = 400

/** `work`, `hang`, `throw`, `exit`, or an array to wait on. Otherwise it returns the number of the thread. */
export function runTask({ input }: PoolTask): unknown {
  const { password: order = '' } = input as { readonly password?: string | Int32Array }
  if (order === 'work') work()
  if (order === 'hang') for (;;);
  if (order === 'throw') throw new Error('thrown on purpose')
  if (order === 'exit') process.exit(3)
  if (typeof order !== 'string') return waitFor(order)
  return threadId
}

function work(): void {
  const usedMs = () => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1000
  }
  for (const end = usedMs() + WORK_CPU_MS; usedMs() < end; );
}

/** Signals that the task began, then waits until it may end. */
function waitFor(gate: Int32Array): number {
  Atomics.add(gate, 1, 1)
  Atomics.notify(gate, 1)
  Atomics.wait(gate, 0, 0)
  return threadId
}
