/**
 * The pool for a gateway in a test's own process. To save time, its threads render nothing before their
 * first task, and hash passwords at a low cost. Tests of the pool, and those that start processes, use the
 * real one.
 */
import { DUMMY_HASH } from '#app/auth/passwords.ts'
import type { PoolTask, PoolTaskInput, PoolTaskName } from '#contracts/pool-tasks.ts'
import { runTask as runShipped } from '#pool/run-task.ts'
import { quickPasswordHash } from '#test/kit/quick-password.ts'

export async function runTask<N extends PoolTaskName>(task: PoolTask<N>): Promise<unknown> {
  if (task.name === 'hash-password')
    return quickPasswordHash((task.input as PoolTaskInput<'hash-password'>).password)
  if (task.name !== 'verify-password') return runShipped(task)
  const input = task.input as PoolTaskInput<'verify-password'>
  const hash = input.hash === DUMMY_HASH ? await quickPasswordHash('nobody’s') : input.hash
  return runShipped({ name: 'verify-password', input: { ...input, hash } })
}
