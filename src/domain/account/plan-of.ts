import { KINDS, type KindName } from '#contracts/kinds.ts'
import type { Account } from '#domain/account/account-store.ts'
import type { Plan } from '#domain/account/plan.ts'
import { checkBound, type FullBound, Problem } from '#domain/problem.ts'
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

/** What distinguishes one kind of these things when it is made. */
interface Owned {
  readonly kind: KindName
  readonly bound: FullBound
  /** How many the account has. */
  readonly held: number
}

/**
 * A new thing of an account, which its caller checks and saves.
 *
 * @throws Problem CONFLICT (too many), UNAUTHORIZED (the account was removed)
 */
export function newOwned<Fields extends object>(
  world: World,
  { accountId, fields }: { readonly accountId: string; readonly fields: Fields },
  { kind, bound, held }: Owned,
) {
  existingAccount(world, accountId)
  checkBound(bound, held)
  const { wallMs } = world.now
  return { ...fields, id: world.source.id(KINDS[kind].prefix, wallMs), accountId, createdAt: wallMs }
}
