import { ACCOUNT_BOUNDS } from '#contracts/account-bounds.ts'
import type { CommandInput } from '#contracts/commands.ts'
import type { PersonFields, PersonResource } from '#contracts/on-call.ts'
import { existingAccount } from '#domain/account/plan-of.ts'
import { describePerson } from '#domain/on-call/describe-on-call.ts'
import type { Person } from '#domain/on-call/person.ts'
import { checkBound, notFound, Problem } from '#domain/problem.ts'
import type { World } from '#domain/world.ts'

/**
 * @throws Problem CONFLICT (another person has this number, or too many), UNAUTHORIZED (the account was
 * removed)
 */
export function createPerson(
  world: World,
  { accountId, fields }: CommandInput<'person.create'>,
): PersonResource {
  const { onCall, source, now, tx } = world
  existingAccount(world, accountId)
  const people = onCall.people(accountId)
  checkBound(ACCOUNT_BOUNDS.people, people.length)
  checkNumber(people, fields)
  const person: Person = { ...fields, id: source.id('per_', now.wallMs), accountId, createdAt: now.wallMs }
  onCall.savePerson(tx, person)
  return describePerson(person, world.settings.timeZone())
}

/**
 * Changes the given fields and keeps the rest.
 *
 * @throws Problem NOT_FOUND; CONFLICT: another person has this number
 */
export function updatePerson(world: World, input: CommandInput<'person.update'>): PersonResource {
  const { onCall, tx } = world
  const known = onCall.person(input.accountId, input.id)
  if (known === undefined) throw notFound('person')
  const person = { ...known, ...input.change }
  const others = onCall.people(input.accountId).filter(({ id }) => id !== known.id)
  checkNumber(others, person)
  onCall.savePerson(tx, person)
  return describePerson(person, world.settings.timeZone())
}

function checkNumber(others: readonly Person[], { phoneNumber }: Pick<PersonFields, 'phoneNumber'>): void {
  const other = others.find(one => one.phoneNumber === phoneNumber)
  if (other === undefined) return
  throw new Problem(
    'CONFLICT',
    `${other.name} has this phone number: each person needs a number of their own`,
  )
}
