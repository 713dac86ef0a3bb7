/**
 * The addresses of webhooks that were just made. The gateway shows each only once, so this tab keeps it until
 * it was copied, or until the reader says so. Another tab never gets it.
 */
import { signal } from '@preact/signals'

export interface NewAddress {
  readonly webhookId: string
  readonly url: string
  /** For devices that can only send e-mail. */
  readonly mailAddress: string | null
  /** The webhook is new, too. Else only its address was replaced. */
  readonly isFirst: boolean
  readonly isCopied: boolean
}

const KEY = 'roost new address'
/** The oldest of more are dropped: nobody copies so many later. */
const KEPT_MAX = 20

const addresses = signal<readonly NewAddress[]>(readKept())

/** The new address of this webhook. Null: it has none, or it was copied and its page was left. */
export function newAddressOf(webhookId: string): NewAddress | null {
  return addresses.value.find(one => one.webhookId === webhookId) ?? null
}

export function showNewAddress(shown: Omit<NewAddress, 'isCopied'>): void {
  setAddresses([...without(shown.webhookId), { ...shown, isCopied: false }].slice(-KEPT_MAX))
}

/** From now on only the page that shows the address keeps it, until it is left. */
export function noteCopied(webhookId: string): void {
  setAddresses(addresses.peek().map(one => (one.webhookId === webhookId ? { ...one, isCopied: true } : one)))
}

export function leaveNewAddress(webhookId: string): void {
  setAddresses(without(webhookId))
}

export function leaveIfCopied(webhookId: string): void {
  if (newAddressOf(webhookId)?.isCopied === true) leaveNewAddress(webhookId)
}

/** Forgets all of them, because another person may log in. */
export function leaveAllAddresses(): void {
  setAddresses([])
}

function without(webhookId: string): readonly NewAddress[] {
  return addresses.peek().filter(one => one.webhookId !== webhookId)
}

function setAddresses(next: readonly NewAddress[]): void {
  addresses.value = next
  const kept = next.filter(({ isCopied }) => !isCopied)
  inStorage(storage =>
    kept.length === 0 ? storage.removeItem(KEY) : storage.setItem(KEY, JSON.stringify(kept)),
  )
}

function readKept(): readonly NewAddress[] {
  return JSON.parse(inStorage(storage => storage.getItem(KEY)) ?? '[]')
}

/** A browser may forbid storage; then a reload loses the addresses. */
function inStorage<T>(use: (storage: Storage) => T): T | null {
  try {
    return use(sessionStorage)
  } catch {
    return null
  }
}
