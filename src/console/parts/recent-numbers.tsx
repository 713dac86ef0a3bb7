import { t } from '#console/language.ts'
import { recentNumbers } from '#console/message-list.ts'
import { PhoneNumber } from '#console/parts/phone-number.tsx'
import { usePersonNames } from '#console/use-person-names.ts'
import { useResource } from '#console/use-resource.ts'
import type { Named } from '#console/webhook-draft.ts'
import type { MessageResource } from '#contracts/message.ts'

interface RecentNumbersProps {
  /** Numbers to leave out, because they are chosen already. */
  readonly without: readonly string[]
  /** Gets a number, or a name of `people`. */
  readonly onChoose: (chosen: string) => void
  /** People and groups that can be chosen by their names. */
  readonly people?: readonly Named[]
}

/** Buttons with the numbers of the last texts, to choose one without typing it. */
export function RecentNumbers({ without, onChoose, people = [] }: RecentNumbersProps) {
  const { data } = useResource<readonly MessageResource[]>('sms?limit=50', [])
  const numbers = recentNumbers(data ?? []).filter(number => !without.includes(number))
  const nameOf = usePersonNames(numbers.length > 0)
  // Who can be chosen by name is there already.
  const shown = numbers.filter(number => !people.some(({ name }) => name === nameOf(number)))
  if (numbers.length + people.length === 0) return null
  return (
    <fieldset class="chips">
      <legend class="hidden">{t('Recent numbers')}</legend>
      {people.map(({ id, name }) => (
        <button key={id} type="button" onClick={() => onChoose(name)}>
          {name}
        </button>
      ))}
      {shown.map(number => (
        <button key={number} type="button" onClick={() => onChoose(number)}>
          {nameOf(number) ?? <PhoneNumber number={number} />}
        </button>
      ))}
    </fieldset>
  )
}
