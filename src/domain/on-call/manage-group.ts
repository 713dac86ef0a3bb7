import type { CommandInput } from '#contracts/commands.ts'
import type { GroupResource } from '#contracts/group.ts'
import { existingAccount } from '#domain/account/plan-of.ts'
import { checkPeople } from '#domain/on-call/check-people.ts'
import { describeGroup } from '#domain/on-call/describe-on-call.ts'
import { notFound, Problem } from '#domain/problem.ts'
import type { World } from '#domain/world.ts'

/** Groups of one account: one for each team of a small company. */
const GROUPS_PER_ACCOUNT_MAX = 50

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
  if (onCall.groups(accountId).length >= GROUPS_PER_ACCOUNT_MAX)
    throw new Problem('CONFLICT', `there are ${GROUPS_PER_ACCOUNT_MAX} groups already: remove one first`)
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
