import type { Issue } from '#contracts/problem.ts'
import type { OnCallRows } from '#domain/on-call/on-call-store.ts'
import { invalid } from '#domain/problem.ts'
import type { World } from '#domain/world.ts'

/** The ids in the field `people` that are no person of the account. */
export function unknownPeople(
  onCall: Pick<OnCallRows, 'person'>,
  accountId: string,
  people: readonly string[],
): Issue[] {
  return people.flatMap((id, index) => {
    if (onCall.person.find(accountId, id) !== undefined) return []
    return [{ path: `people.${index}`, message: 'must be the id of a person, from the list of people' }]
  })
}

/** @throws Problem INVALID_REQUEST: an id in the field `people` is no person of the account */
export function checkPeople(
  { onCall }: Pick<World, 'onCall'>,
  accountId: string,
  people: readonly string[],
): void {
  const issues = unknownPeople(onCall, accountId, people)
  if (issues.length > 0) throw invalid(issues)
}
