import { t } from '#console/language.ts'
import { recentNumbers } from '#console/message-list.ts'
import { usePersonNames } from '#console/use-person-names.ts'
import { useResource } from '#console/use-resource.ts'
import type { MessageResource } from '#contracts/message.ts'

interface RecentNumbersProps {
  /** Numbers to leave out, because they are chosen already. */
  readonly without: readonly string[]
  readonly onChoose: (number: string) => void
}

/** Buttons with the numbers of the last texts, to choose one without typing it. */
export function RecentNumbers({ without, onChoose }: RecentNumbersProps) {
  const { data } = useResource<readonly MessageResource[]>('sms?limit=50', [])
  const numbers = recentNumbers(data ?? []).filter(number => !without.includes(number))
  const nameOf = usePersonNames(numbers.length > 0)
  if (numbers.length === 0) return null
  return (
    <fieldset class="chips">
      <legend class="hidden">{t('Recent numbers')}</legend>
      {numbers.map(number => (
        <button key={number} type="button" onClick={() => onChoose(number)}>
          {nameOf(number) ?? number}
        </button>
      ))}
    </fieldset>
  )
}
