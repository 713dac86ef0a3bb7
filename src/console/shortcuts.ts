/** The action of a keyboard shortcut. Shortcuts do nothing in a text field or with Ctrl, Alt or Meta. */
export type Shortcut = { readonly go: string } | 'search' | 'help'

/** Keys for the list that `?` shows. */
export const SHORTCUTS: readonly (readonly [keys: string, word: string])[] = [
  ['/', 'Search messages'],
  ['n', 'Write a text'],
  ['g h', 'Home'],
  ['g m', 'Messages'],
  ['g w', 'Webhooks'],
  ['g d', 'Phones'],
  ['g o', 'On call'],
  ['g r', 'Received texts'],
  ['g s', 'Settings'],
  ['?', 'Show this list'],
]

const PAGES: Readonly<Record<string, string>> = {
  h: '',
  m: 'messages',
  w: 'webhooks',
  d: 'devices',
  o: 'on-call',
  r: 'received',
  s: 'settings',
}

/** @param before the key that was pressed just before. Null: none */
export function shortcutOf(before: string | null, key: string): Shortcut | null {
  if (before === 'g') {
    const page = PAGES[key]
    return page === undefined ? null : { go: page }
  }
  if (key === '/') return 'search'
  if (key === '?') return 'help'
  return key === 'n' ? { go: 'messages/new' } : null
}
