/** Light or dark, as the reader chose in this browser. */
import { signal } from '@preact/signals'
import { readStorage, writeStorage } from '#console/browser-storage.ts'

const SCHEME = 'roost scheme'

/** `light` or `dark`; empty: as the system. */
export const scheme = signal(readStorage(SCHEME) ?? '')

export function showScheme(): void {
  document.documentElement.dataset['scheme'] = scheme.value
}

export function chooseScheme(value: string): void {
  scheme.value = value
  writeStorage(SCHEME, value)
  showScheme()
}
