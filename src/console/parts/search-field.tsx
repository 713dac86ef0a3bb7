import { useEffect, useRef, useState } from 'preact/hooks'
import { t } from '#console/language.ts'
import { Field } from '#console/parts/basics.tsx'
import { PEOPLE_OPTIONS, PeopleOptions } from '#console/parts/people-options.tsx'

/** A reader who types on does not search for each letter. */
const PAUSE_MS = 300

interface SearchFieldProps {
  /** What the page searches for now. */
  readonly q: string
  /** Called after a pause in typing, and at once on Enter. */
  readonly onSearch: (q: string) => void
}

/** The search of a list. It searches while the reader types. */
export function SearchField({ q, onSearch }: SearchFieldProps) {
  const [typed, setTyped] = useState(q)
  const shown = useRef(q)
  const timer = useRef(0)
  // A link or *Back* has changed the search: the field follows.
  if (shown.current !== q) {
    shown.current = q
    if (typed.trim() !== q) setTyped(q)
  }
  const latest = useRef(onSearch)
  latest.current = onSearch
  const search = (value: string) => {
    clearTimeout(timer.current)
    latest.current(value.trim())
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  return (
    <search>
      <form
        class="search"
        onSubmit={event => {
          event.preventDefault()
          search(typed)
        }}
      >
        <Field
          label={t('Search')}
          type="search"
          name="q"
          value={typed}
          onValue={value => {
            setTyped(value)
            clearTimeout(timer.current)
            timer.current = window.setTimeout(search, PAUSE_MS, value)
          }}
          placeholder={t('Name, number, words or a day')}
          list={PEOPLE_OPTIONS}
        />
        <PeopleOptions />
      </form>
    </search>
  )
}
