import { useState } from 'preact/hooks'
import type { ApiError } from '#console/api.ts'
import { t } from '#console/language.ts'
import { Field } from '#console/parts/basics.tsx'
import { Chosen } from '#console/parts/members.tsx'
import { RecentNumbers } from '#console/parts/recent-numbers.tsx'
import { type Draft, type Named, numbersIn, withNames } from '#console/webhook-draft.ts'

/** People that are offered as buttons; the field knows all of them. */
const OFFERED_MAX = 6
const OPTIONS = 'recipient-options'

interface RecipientsProps {
  readonly draft: Draft
  readonly set: (change: Partial<Draft>) => void
  /** All people and groups that can be chosen. */
  readonly all: readonly Named[]
  readonly error: ApiError | null
}

/**
 * Who gets the texts: people, groups and numbers in one field. What is typed counts at once. Enter, a comma
 * or a choice makes it one of the chosen, and the field is free for the next one.
 */
export function Recipients({ draft, set, all, error }: RecipientsProps) {
  const [typed, setTyped] = useState('')
  const numbers = numbersIn(draft.recipients)
  const chosen = numbers.slice(0, numbers.length - numbersIn(typed).length)
  const isOptional = draft.policyId !== '' || draft.people.length > 0
  const type = (value: string) => {
    setTyped(value)
    set({ recipients: [...chosen, value].join('\n') })
  }
  const choose = (value: string) => {
    const { recipients, people } = withNames(
      { recipients: [...chosen, value].join('\n'), people: draft.people },
      all,
    )
    setTyped('')
    set({ recipients: [...new Set(numbersIn(recipients))].join('\n'), people })
  }
  const names = draft.people.map(
    id => [id, all.find(one => one.id === id)?.name ?? t('Somebody who was removed')] as const,
  )
  return (
    <fieldset
      onKeyDown={event => {
        const isNext = event.key === 'Enter' || event.key === ',' || event.key === ';'
        if (!isNext || typed.trim() === '' || !(event.target instanceof HTMLInputElement)) return
        // Otherwise Enter would send the form.
        event.preventDefault()
        choose(typed)
      }}
      onPaste={event => {
        const pasted = event.clipboardData?.getData('text') ?? ''
        if (numbersIn(pasted).length < 2) return
        // A field of one line would put the lines together.
        event.preventDefault()
        choose(`${typed}\n${pasted}`)
      }}
    >
      <Field
        label={t('Who gets the texts')}
        name="recipients"
        autoComplete="off"
        list={OPTIONS}
        required={!isOptional && chosen.length === 0}
        value={typed}
        onValue={value => {
          const isChoice = value.length > typed.length + 1 && all.some(({ name }) => name === value)
          if (isChoice) choose(value)
          else type(value)
        }}
        placeholder={t('For example +14155550123')}
        hint={
          draft.policyId === ''
            ? t('A name, or a number with + and the country code. Enter adds one more.')
            : t('May stay empty. Who is listed here only reads.')
        }
        issue={error?.issueOf('recipients') ?? error?.issueOf('people')}
      >
        <Chosen
          entries={[...names, ...chosen.map(number => [number, number] as const)]}
          onTakeOut={gone =>
            set({
              people: draft.people.filter(id => id !== gone),
              recipients: numbers.filter(number => number !== gone).join('\n'),
            })
          }
        />
      </Field>
      <datalist id={OPTIONS}>
        {all.map(({ id, name }) => (
          <option key={id} value={name} />
        ))}
      </datalist>
      <RecentNumbers
        without={chosen}
        onChoose={number => choose(number)}
        people={all.filter(({ id }) => !draft.people.includes(id)).slice(0, OFFERED_MAX)}
      />
    </fieldset>
  )
}
