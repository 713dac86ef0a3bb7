import german from '#contracts/languages/de.json' with { type: 'json' }
import { ENGLISH, type Language, type LanguageTag } from '#contracts/words.ts'

/** In which language Roost texts people. English is written to the letter, without points in numbers. */
const SPOKEN: Readonly<Record<LanguageTag, Language>> = {
  en: ENGLISH,
  de: { tag: 'de', words: german, number: String },
}

export function languageOf(tag: LanguageTag): Language {
  return SPOKEN[tag]
}
