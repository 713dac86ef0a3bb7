import type { Plan } from '#domain/account/plan.ts'
import { Problem } from '#domain/problem.ts'
import type { World } from '#domain/world.ts'

/**
 * The plan that the account is on now. One that left the configuration gives what `free` gives.
 *
 * @throws Problem UNAUTHORIZED when the account is gone
 */
export function planOf(world: World, accountId: string): Plan {
  const account = world.accounts.find(world.tx, accountId)
  if (account === undefined) throw new Problem('UNAUTHORIZED', 'this account does not exist any more')
  const plan = world.settings.plan(account.plan) ?? world.settings.plan('free')
  if (plan === undefined) throw new Error('the built-in plan free is always configured')
  return plan
}
