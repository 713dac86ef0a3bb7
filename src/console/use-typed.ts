/** Keeps what was typed into a form, in this tab, over a click in the menu, a reload and a login. */
import { useState } from 'preact/hooks'

const PREFIX = 'roost typed '

interface Kept<T> {
  /** What the form began with, as JSON. If that has changed since, what was typed is out of date. */
  readonly start: string
  readonly value: T
}

/**
 * The state of a form. Not for passwords.
 *
 * @param name differs for each form and each thing that the form changes
 * @returns the value, its setter, and what to call when the form was sent
 */
export function useTyped<T>(name: string, start: T): [value: T, set: (value: T) => void, forget: () => void] {
  const key = PREFIX + name
  const from = JSON.stringify(start)
  const [value, setValue] = useState(() => {
    const kept: Kept<T> | null = JSON.parse(inStorage(storage => storage.getItem(key)) ?? 'null')
    return kept?.start === from ? kept.value : start
  })
  const set = (typed: T) => {
    setValue(typed)
    inStorage(storage => storage.setItem(key, JSON.stringify({ start: from, value: typed })))
  }
  return [value, set, () => inStorage(storage => storage.removeItem(key))]
}

/** Forgets what was typed in all forms, because another person may log in. */
export function forgetTyped(): void {
  inStorage(storage => {
    for (const key of Object.keys(storage)) if (key.startsWith(PREFIX)) storage.removeItem(key)
  })
}

/** A browser may forbid storage; then a reload loses what was typed. */
function inStorage<T>(use: (storage: Storage) => T): T | null {
  try {
    return use(sessionStorage)
  } catch {
    return null
  }
}
