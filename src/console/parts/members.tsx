import type { ComponentChildren } from 'preact'
import { t } from '#console/language.ts'
import { Choice } from '#console/parts/basics.tsx'
import { Issue } from '#console/parts/issue.tsx'
import { PhoneNumber } from '#console/parts/phone-number.tsx'
import { Sign } from '#console/parts/sign.tsx'
import type { Named } from '#console/webhook-draft.ts'

interface MembersProps {
  readonly legend: string
  readonly ids: readonly string[]
  readonly onIds: (ids: readonly string[]) => void
  /** All that can be chosen. */
  readonly all: readonly Named[]
  /** The name of one that is gone. */
  readonly gone: string
  /** Of the choice: its label, and what it says while nothing is chosen. */
  readonly add: readonly [label: string, prompt: string]
  readonly issue: string | undefined
  readonly children?: ComponentChildren
}

/** A list to which items are added by a choice, and from which each can be taken out. */
export function Members({ legend, ids, onIds, all, gone, add, issue, children }: MembersProps) {
  const nameOf = (id: string) => all.find(one => one.id === id)?.name ?? gone
  const others = all.filter(({ id }) => !ids.includes(id))
  return (
    <fieldset class="bare">
      <legend>{legend}</legend>
      <Chosen
        entries={ids.map(id => [id, nameOf(id)])}
        onTakeOut={gone => onIds(ids.filter(id => id !== gone))}
      />
      {others.length > 0 && (
        <Choice
          label={add[0]}
          value=""
          onValue={id => onIds([...ids, id])}
          options={[['', add[1]], ...others.map(one => [one.id, one.name] as const)]}
        />
      )}
      <Issue text={issue} />
      {children}
    </fieldset>
  )
}

interface ChosenProps {
  readonly entries: readonly (readonly [id: string, name: string])[]
  readonly onTakeOut: (id: string) => void
}

/** What is chosen, each with a button that takes it out. Nothing if there is none. */
export function Chosen({ entries, onTakeOut }: ChosenProps) {
  if (entries.length === 0) return null
  return (
    <ol class="members">
      {entries.map(([id, name]) => (
        <li key={id}>
          {/* Shows a name as it is. */}
          <PhoneNumber number={name} />
          <button type="button" aria-label={t('Take out {name}', { name })} onClick={() => onTakeOut(id)}>
            <Sign of="failed" />
          </button>
        </li>
      ))}
    </ol>
  )
}
