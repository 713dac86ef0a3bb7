import { ACCOUNT_BOUNDS } from '#contracts/account-bounds.ts'
import type { CommandInput } from '#contracts/commands.ts'
import type { GroupResource } from '#contracts/group.ts'
import { newOwned } from '#domain/account/plan-of.ts'
import { checkPeople } from '#domain/on-call/check-people.ts'
import { describeGroup } from '#domain/on-call/describe-on-call.ts'
import type { Group } from '#domain/on-call/on-call-store.ts'
import { existing } from '#domain/problem.ts'
import type { World } from '#domain/world.ts'

/** @throws Problem INVALID_REQUEST (unknown people), and as `newOwned` */
export function createGroup(world: World, input: CommandInput<'group.create'>): GroupResource {
  const held = world.onCall.group.list(input.accountId).length
  return save(world, newOwned(world, input, { kind: 'group', bound: ACCOUNT_BOUNDS.groups, held }))
}

/**
 * Changes the given fields and keeps the rest.
 *
 * @throws Problem NOT_FOUND; INVALID_REQUEST (unknown people)
 */
export function updateGroup(world: World, input: CommandInput<'group.update'>): GroupResource {
  return save(world, { ...existing(world.onCall.group, input, 'group'), ...input.change })
}

function save(world: World, group: Group): GroupResource {
  checkPeople(world, group.accountId, group.people)
  world.onCall.group.save(world.tx, group)
  return describeGroup(group)
}
