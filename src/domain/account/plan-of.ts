import type { Account } from '#domain/account/account-store.ts'
import type { Plan } from '#domain/account/plan.ts'
import { Problem } from '#domain/problem.ts'
import type { World } from '#domain/world.ts'

/** @throws Problem UNAUTHORIZED when the account was removed after the caller was authenticated */
export function existingAccount(world: Pick<World, 'accounts' | 'tx'>, accountId: string): Account {
  const account = world.accounts.find(world.tx, accountId)
  if (account === undefined) throw new Problem('UNAUTHORIZED', 'this account does not exist any more')
  return account
}

/**
 * The account's current plan. A plan that was removed from the configuration counts as `free`.
 *
 * @throws Problem UNAUTHORIZED when the account was removed
 */
export function planOf(world: World, accountId: string): Plan {
  const account = existingAccount(world, accountId)
  const plan = world.settings.plan(account.plan) ?? world.settings.plan('free')
  if (plan === undefined) throw new Error('the plan free is missing, although it is built in')
  return plan
}
