import { ACCOUNT_BOUNDS } from '#contracts/account-bounds.ts'
import type { CommandInput } from '#contracts/commands.ts'
import type { GroupResource } from '#contracts/group.ts'
import { existingAccount } from '#domain/account/plan-of.ts'
import { checkPeople } from '#domain/on-call/check-people.ts'
import { describeGroup } from '#domain/on-call/describe-on-call.ts'
import { checkBound, notFound } from '#domain/problem.ts'
import type { World } from '#domain/world.ts'

/**
 * @throws Problem INVALID_REQUEST (unknown people), CONFLICT (too many), UNAUTHORIZED (the account was
 * removed)
 */
export function createGroup(
  world: World,
  { accountId, fields }: CommandInput<'group.create'>,
): GroupResource {
  const { onCall, source, now, tx } = world
  existingAccount(world, accountId)
  checkBound(ACCOUNT_BOUNDS.groups, onCall.groups(accountId).length)
  checkPeople(world, accountId, fields.people)
  const group = { ...fields, id: source.id('grp_', now.wallMs), accountId, createdAt: now.wallMs }
  onCall.saveGroup(tx, group)
  return describeGroup(group)
}

/**
 * Changes the given fields and keeps the rest.
 *
 * @throws Problem NOT_FOUND; INVALID_REQUEST (unknown people)
 */
export function updateGroup(world: World, input: CommandInput<'group.update'>): GroupResource {
  const { onCall, tx } = world
  const known = onCall.group(input.accountId, input.id)
  if (known === undefined) throw notFound('group')
  const { people } = input.change
  if (people !== undefined) checkPeople(world, input.accountId, people)
  const group = { ...known, ...input.change }
  onCall.saveGroup(tx, group)
  return describeGroup(group)
}
