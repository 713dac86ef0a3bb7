/** The action of a keyboard shortcut. Shortcuts do nothing in a text field or with Ctrl, Alt or Meta. */
import { t } from '#console/language.ts'
export type Shortcut = { readonly go: string } | 'search' | 'help'

/** Keys for the list that `?` shows. */
export const SHORTCUTS: readonly (readonly [keys: string, word: string])[] = [
  ['/', t('Search texts')],
  ['n', t('Write a text')],
  ['g h', t('Home')],
  ['g t', t('Texts')],
  ['g w', t('Webhooks')],
  ['g d', t('Phones')],
  ['g o', t('On call')],
  ['g s', t('Settings')],
  ['?', t('Show this list')],
]

const PAGES: Readonly<Record<string, string>> = {
  h: '',
  t: 'texts',
  w: 'webhooks',
  d: 'devices',
  o: 'on-call',
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
  return key === 'n' ? { go: 'texts/new' } : null
}
