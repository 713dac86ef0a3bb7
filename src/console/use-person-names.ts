import { t } from '#console/language.ts'
import { useResource } from '#console/use-resource.ts'
import type { PersonResource } from '#contracts/on-call.ts'

/** Stands for the number of a sender that is not known: no sender's name is blank. */
export const UNKNOWN_SENDER = ' '

/** Names the people of the account by their numbers. Null: the number is nobody's. */
export function usePersonNames(isAsked: boolean): (number: string | null) => string | null {
  const { data } = useResource<readonly PersonResource[]>(isAsked ? 'people' : null, [])
  return number => {
    if (number === UNKNOWN_SENDER) return t('Unknown sender')
    return data?.find(({ phoneNumber }) => phoneNumber === number)?.name ?? null
  }
}
