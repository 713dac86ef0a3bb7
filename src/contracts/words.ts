/** Sentences in the language of their reader. The English sentence, as the source has it, is the key. */

/** What stands for the names in braces of a sentence; null: nothing. `count` also chooses its form. */
export type Values = Readonly<Record<string, string | number | null | Sentence>>

/** A sentence that is said later, perhaps in several languages. */
export interface Sentence {
  readonly english: string
  readonly values: Values
}

export function sentence(english: string, values: Values = {}): Sentence {
  return { english, values }
}

export interface Language {
  /** As BCP 47 writes it, such as `de`. */
  readonly tag: string
  /** From each English sentence to the sentence of this language; empty for English. */
  readonly words: Readonly<Record<string, string>>
  /** How numbers in sentences are written. */
  readonly number: (value: number) => string
}

/** The languages that have a file in `contracts/languages`, and English, with their own names. */
export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const
export type LanguageTag = keyof typeof LANGUAGES
export const LANGUAGE_TAGS = Object.keys(LANGUAGES) as LanguageTag[]

export const ENGLISH: Language = { tag: 'en', words: {}, number: String }

/** `Ada has 3 texts`, for `{name} has 1 text|{name} has {count} texts`. */
export function say(language: Language, what: string | Sentence, given: Values = {}): string {
  if (typeof what === 'object') return say(language, what.english, what.values)
  const { tag, words, number } = language
  const translated = words[what]
  const form = formOf(translated ?? what, translated === undefined ? 'en' : tag, given)
  return form.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = given[name]
    if (value === undefined) return whole
    if (typeof value === 'object') return value === null ? '' : say(language, value)
    return typeof value === 'number' ? number(value) : value
  })
}

/** The order of the forms of a sentence; a language has some of them, English `one` and `other`. */
const FORMS: readonly Intl.LDMLPluralRule[] = ['zero', 'one', 'two', 'few', 'many', 'other']

/** By the tag of the language. Each takes long to make. */
const rulesOf = new Map<string, Intl.PluralRules>()

/** The form for the value `count`, of a sentence whose forms stand between bars. */
export function formOf(sentence: string, tag: string, { count }: Values): string {
  if (!sentence.includes('|')) return sentence
  const forms = sentence.split('|')
  const rules = rulesOf.get(tag) ?? new Intl.PluralRules(tag)
  rulesOf.set(tag, rules)
  const { pluralCategories } = rules.resolvedOptions()
  const own = FORMS.filter(form => pluralCategories.includes(form))
  return forms[own.indexOf(rules.select(Number(count)))] ?? forms.at(-1) ?? sentence
}
