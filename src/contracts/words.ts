/** Sentences in the language of their reader. The English sentence, as the source has it, is the key. */

/** What stands in a sentence for its names in braces. `count` also chooses between its forms. */
export type Values = Readonly<Record<string, string | number>>

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

export const ENGLISH: Language = { tag: 'en', words: {}, number: String }

/** `Ada has 3 texts`, for `{name} has 1 text|{name} has {count} texts`. */
export function say({ tag, words, number }: Language, english: string, values: Values = {}): string {
  const translated = words[english]
  const form = formOf(translated ?? english, translated === undefined ? 'en' : tag, values)
  return form.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name]
    return typeof value === 'number' ? number(value) : (value ?? whole)
  })
}

/** The order of the forms of a sentence; a language has some of them, English `one` and `other`. */
const FORMS: readonly Intl.LDMLPluralRule[] = ['zero', 'one', 'two', 'few', 'many', 'other']

/** The form for the value `count`, of a sentence whose forms stand between bars. */
export function formOf(sentence: string, tag: string, { count }: Values): string {
  if (!sentence.includes('|')) return sentence
  const forms = sentence.split('|')
  const rules = new Intl.PluralRules(tag)
  const { pluralCategories } = rules.resolvedOptions()
  const own = FORMS.filter(form => pluralCategories.includes(form))
  return forms[own.indexOf(rules.select(Number(count)))] ?? forms.at(-1) ?? sentence
}
