import { invalid } from '#domain/problem.ts'
import type { World } from '#domain/world.ts'

/** @throws Problem INVALID_REQUEST: an id in the field `people` is no person of the account */
export function checkPeople(
  { onCall }: Pick<World, 'onCall'>,
  accountId: string,
  people: readonly string[],
): void {
  const issues = people.flatMap((id, index) => {
    if (onCall.person(accountId, id) !== undefined) return []
    return [{ path: `people.${index}`, message: 'must be the id of a person, from the list of people' }]
  })
  if (issues.length > 0) throw invalid(issues)
}
