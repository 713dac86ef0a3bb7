import { useResource } from '#console/use-resource.ts'
import type { PersonResource } from '#contracts/on-call.ts'

/** Names the people of the account by their numbers. Null: the number is nobody's. */
export function usePersonNames(isAsked: boolean): (number: string | null) => string | null {
  const { data } = useResource<readonly PersonResource[]>(isAsked ? 'people' : null, [])
  return number => data?.find(({ phoneNumber }) => phoneNumber === number)?.name ?? null
}
