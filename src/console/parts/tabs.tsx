interface TabsProps {
  /** For screen readers. */
  readonly label: string
  readonly options: readonly (readonly [value: string, word: string])[]
  readonly value: string
  readonly onValue: (value: string) => void
}

/** Tabs, of which one is selected. */
export function Tabs({ label, options, value, onValue }: TabsProps) {
  return (
    <fieldset class="tabs">
      <legend class="hidden">{label}</legend>
      {options.map(([one, word]) => (
        <button key={one} type="button" aria-pressed={one === value} onClick={() => onValue(one)}>
          {word}
        </button>
      ))}
    </fieldset>
  )
}
