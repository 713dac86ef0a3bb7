/**
 * The address of a webhook that was just made. The gateway shows it only once, so it survives a reload of the
 * page until it was copied or the page was left. Another tab never gets it.
 */
import { signal } from '@preact/signals'

export interface NewAddress {
  readonly webhookId: string
  readonly url: string
  /** The webhook is new, too. Else only its address was replaced. */
  readonly isFirst: boolean
}

const KEY = 'roost new address'

/** The new address that the page shows; null: none. */
export const newAddress = signal<NewAddress | null>(readKept())

export function showNewAddress(shown: NewAddress): void {
  newAddress.value = shown
  inStorage(storage => storage.setItem(KEY, JSON.stringify(shown)))
}

export function leaveNewAddress(): void {
  newAddress.value = null
  forgetNewAddress()
}

/** From now on a reload shows the address no more. The page still does. */
export function forgetNewAddress(): void {
  inStorage(storage => storage.removeItem(KEY))
}

function readKept(): NewAddress | null {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  // A person who left the console and came back in the same tab has left the address, too.
  if (navigation?.type !== 'reload') forgetNewAddress()
  return JSON.parse(inStorage(storage => storage.getItem(KEY)) ?? 'null')
}

/** A browser may forbid storage; then a reload loses the address. */
function inStorage<T>(use: (storage: Storage) => T): T | null {
  try {
    return use(sessionStorage)
  } catch {
    return null
  }
}
