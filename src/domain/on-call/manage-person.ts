import { ACCOUNT_BOUNDS } from '#contracts/account-bounds.ts'
import type { CommandInput } from '#contracts/commands.ts'
import type { PersonResource } from '#contracts/on-call.ts'
import { newOwned } from '#domain/account/plan-of.ts'
import { describePerson } from '#domain/on-call/describe-on-call.ts'
import type { Person } from '#domain/on-call/on-call-store.ts'
import { existing, Problem } from '#domain/problem.ts'
import type { World } from '#domain/world.ts'

/** @throws Problem CONFLICT (another person has this number), and as `newOwned` */
export function createPerson(world: World, input: CommandInput<'person.create'>): PersonResource {
  const held = world.onCall.person.list(input.accountId).length
  return save(world, newOwned(world, input, { kind: 'person', bound: ACCOUNT_BOUNDS.people, held }))
}

/**
 * Changes the given fields and keeps the rest.
 *
 * @throws Problem NOT_FOUND; CONFLICT: another person has this number
 */
export function updatePerson(world: World, input: CommandInput<'person.update'>): PersonResource {
  return save(world, { ...existing(world.onCall.person, input, 'person'), ...input.change })
}

function save({ onCall, tx, settings }: World, person: Person): PersonResource {
  const { accountId, id, phoneNumber } = person
  const other = onCall.person.list(accountId).find(one => one.id !== id && one.phoneNumber === phoneNumber)
  if (other !== undefined)
    throw new Problem(
      'CONFLICT',
      `${other.name} has this phone number: each person needs a number of their own`,
    )
  onCall.person.save(tx, person)
  return describePerson(person, settings.timeZone())
}
