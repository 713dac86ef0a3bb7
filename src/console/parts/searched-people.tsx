/** A search for a person of the address book finds the texts of their number. */
import { t } from '#console/language.ts'
import { matchingPeople } from '#console/matching-people.ts'
import { PhoneNumber } from '#console/parts/phone-number.tsx'
import { useResource } from '#console/use-resource.ts'
import type { PersonResource } from '#contracts/on-call.ts'

export interface SearchedPeople {
  readonly people: readonly PersonResource[]
  /** What to ask the gateway for. Null: the address book is not here yet. */
  readonly q: string | null
}

/** Whom the typed words name. `isWords`: the reader searches for the words themselves. */
export function useSearchedPeople(typed: string, isWords: boolean): SearchedPeople {
  const isAsked = typed !== '' && !isWords
  const { data, isLoading } = useResource<readonly PersonResource[]>(isAsked ? 'people' : null, [])
  if (isLoading) return { people: [], q: null }
  const people = isAsked ? matchingPeople(typed, data ?? []) : []
  const [person, ...others] = people
  return { people, q: person === undefined || others.length > 0 ? typed : person.phoneNumber }
}

interface SearchedForProps {
  readonly people: readonly PersonResource[]
  readonly isReceived?: boolean
  /** The address of the same list with another search. */
  readonly linkOf: (change: Readonly<Record<string, string>>) => string
}

/** Names the person whose texts are listed. If several match, it offers a link for each. */
export function SearchedFor({ people, isReceived = false, linkOf }: SearchedForProps) {
  const [person, ...others] = people
  if (person === undefined) return null
  if (others.length > 0)
    return (
      <ul class="row chosen">
        {people.map(one => (
          <li key={one.id}>
            <a class="button" href={linkOf({ q: one.phoneNumber })}>
              {wordsOf(one.name, isReceived)}
            </a>
          </li>
        ))}
      </ul>
    )
  return (
    <p class="row">
      <span>
        <strong>{wordsOf(person.name, isReceived)}</strong>, <PhoneNumber number={person.phoneNumber} />
      </span>
      <a href={linkOf({ words: 'true' })}>{t('Search the words instead')}</a>
    </p>
  )
}

function wordsOf(name: string, isReceived: boolean): string {
  return isReceived ? t('Texts from {name}', { name }) : t('Texts to {name}', { name })
}
