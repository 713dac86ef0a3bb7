interface TabsProps {
  readonly label: string
  /** Shows the label above the tabs. By default only screen readers get it. */
  readonly isLabelled?: boolean
  readonly options: readonly (readonly [value: string, word: string])[]
  readonly value: string
  readonly onValue: (value: string) => void
}

/** Tabs, of which one is selected. */
export function Tabs({ label, isLabelled = false, options, value, onValue }: TabsProps) {
  return (
    <fieldset class="tabs">
      <legend class={isLabelled ? '' : 'hidden'}>{label}</legend>
      {options.map(([one, word]) => (
        <button key={one} type="button" aria-pressed={one === value} onClick={() => onValue(one)}>
          {word}
        </button>
      ))}
    </fieldset>
  )
}
