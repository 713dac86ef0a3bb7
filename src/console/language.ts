/** The language of the reader. It is loaded before any other module of the console runs. */
import { readStorage, writeStorage } from '#console/browser-storage.ts'
import { ENGLISH, LANGUAGES, type Language, type LanguageTag, say, type Values } from '#contracts/words.ts'

const KEY = 'roost language'

/** A reader of English loads nothing. */
const LOADERS = {
  en: null,
  de: () => import('#contracts/languages/de.json', { with: { type: 'json' } }),
} as const satisfies Record<LanguageTag, (() => Promise<{ default: Language['words'] }>) | null>

/** What the reader has chosen; empty: as the browser. */
export const chosenLanguage = readStorage(KEY) ?? ''
/** The languages of the browser, the preferred one first; none where tests run without one. */
const preferred = typeof document === 'undefined' ? [] : navigator.languages

export const language = await load(tagOf([chosenLanguage, ...preferred]))

/** The sentence in the reader's language. @param english with its values in braces */
export function t(english: string, values?: Values): string {
  return say(language, english, values)
}

/** The sentences of the API that have values, as patterns. The longest comes first: it says the most. */
let patterns: readonly (readonly [pattern: RegExp, english: string])[] | undefined

/**
 * A sentence of the API in the reader's language, if its file has it. The API has put the values into its
 * sentence already. So the file has numbers in their places: `there is no such {1}`.
 */
export function translated(english: string): string {
  const whole = language.words[english]
  if (whole !== undefined) return whole
  patterns ??= Object.keys(language.words)
    .filter(key => key.includes('{1}'))
    .sort((one, other) => other.length - one.length)
    .map(key => [patternOf(key), key])
  for (const [pattern, key] of patterns) {
    const values = pattern.exec(english)?.slice(1)
    if (values !== undefined)
      return say(language, key, Object.fromEntries(values.map((value, nth) => [nth + 1, translated(value)])))
  }
  return english
}

export function patternOf(key: string): RegExp {
  return new RegExp(`^${key.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\d\}/g, '(.+)')}$`)
}

/** The browser's variant of the reader's language, such as `de-AT`, for times and numbers. */
export function localeOf(): string {
  return preferred.find(one => one.startsWith(language.tag)) ?? language.tag
}

/** Draws the page anew in this language. What was typed is kept. @param tag empty: as the browser */
export function chooseLanguage(tag: string): void {
  writeStorage(KEY, tag)
  location.reload()
}

function tagOf(wanted: readonly string[]): LanguageTag {
  const known = Object.keys(LANGUAGES) as LanguageTag[]
  const found = wanted.flatMap(one => known.find(tag => one === tag || one.startsWith(`${tag}-`)) ?? [])
  return found[0] ?? 'en'
}

async function load(tag: LanguageTag): Promise<Language> {
  if (typeof document !== 'undefined') document.documentElement.lang = tag
  // Without the file, English is better than no page.
  const file = await LOADERS[tag]?.().catch(() => null)
  if (!file) return { ...ENGLISH, number: grouped }
  const format = new Intl.NumberFormat(preferred.find(one => one.startsWith(tag)) ?? tag)
  return { tag, words: file.default, number: value => format.format(value) }
}

/** `1,978`. A format takes long to make, and small numbers need none. */
function grouped(value: number): string {
  return Math.abs(value) < 1_000 ? String(value) : value.toLocaleString('en')
}
