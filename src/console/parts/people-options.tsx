import { useResource } from '#console/use-resource.ts'
import type { PersonResource } from '#contracts/on-call.ts'

export const PEOPLE_OPTIONS = 'people-options'

/** The people of the account for a field whose `list` is `PEOPLE_OPTIONS`: typed names become numbers. */
export function PeopleOptions() {
  const { data } = useResource<readonly PersonResource[]>('people', [])
  return (
    <datalist id={PEOPLE_OPTIONS}>
      {data?.map(({ id, name, phoneNumber }) => (
        <option key={id} value={phoneNumber}>
          {name}
        </option>
      ))}
    </datalist>
  )
}
