/** Searches texts and numbers as people type them: words in any order, without regard to case and accents. */
import { digitsOf } from '#domain/phone-number/parse-phone-number.ts'
import { readWrittenNumber } from '#domain/phone-number/read-written-number.ts'

/** One word or number. An entry contains it if its text contains `text`, or its number one of `numbers`. */
export interface SearchedWord {
  /** As `foldText` makes it. */
  readonly text: string
  /** Parts of numbers, with + or without. */
  readonly numbers: readonly string[]
}

/** What an entry must contain: all words. */
export interface SearchedText {
  readonly words: readonly SearchedWord[]
}

/** Words beyond so many are one phrase, so that a search of many short words stays quick. */
const WORDS_MAX = 8
/** Fewer digits would be in most numbers. */
const DIGITS_MIN = 3
/** A single letter begins too many names. */
const LETTERS_MIN = 2
/** Numbers of people that all words of a search have together: each text is compared with all of them. */
const NUMBERS_OF_PEOPLE_MAX = 20

/** Somebody whose name finds the texts of their number. */
export interface Named {
  readonly name: string
  /** E.164. */
  readonly phoneNumber: string
}

/**
 * Reads what a person searches for. Digits also find the number that they are when dialled in `country` (two
 * letters, or empty: none), and a part of a number with its leading zeros or without them. The beginning of a
 * name also finds the numbers of the people who have it.
 */
export function readSearch(typed: string, country: string, people: readonly Named[] = []): SearchedText {
  const text = typed.trim()
  if (text === '') return { words: [{ text: typed, numbers: [] }] }
  const whole = partsOfNumbers(text, country)
  if (whole.length > 0) return { words: [{ text: foldText(text), numbers: whole }] }
  const words = text.split(/\s+/)
  const read = [...words.slice(0, WORDS_MAX - 1), words.slice(WORDS_MAX - 1).join(' ')]
  const different = [...new Set(read.map(foldText))].filter(word => word !== '')
  const named = namedBy(different, people)
  return {
    words: different.map(word => {
      const numbers = named.filter(one => one.words.includes(word)).map(({ phoneNumber }) => phoneNumber)
      return { text: word, numbers: [...partsOfNumbers(word, country), ...numbers] }
    }),
  }
}

/** Lower case, without accents. */
export function foldText(text: string): string {
  const lower = text.toLowerCase()
  // Most texts are ASCII, and taking characters apart is ten times slower than this look.
  return /^[\0-\x7f]*$/.test(lower) ? lower : lower.normalize('NFD').replace(/\p{M}/gu, '')
}

/** Whether an entry contains everything that was searched for. */
export function containsAll({ words }: SearchedText, text: string, number: string): boolean {
  const folded = `${foldText(text)}\n${foldText(number)}`
  return words.every(
    word => folded.includes(word.text) || word.numbers.some(digits => number.includes(digits)),
  )
}

/** The parts of E.164 numbers that these digits may mean. Empty: they are no digits, or too few. */
function partsOfNumbers(text: string, country: string): readonly string[] {
  const digits = digitsOf(text.replace(/^\+/, ''))
  if (digits === null || digits.length < DIGITS_MIN) return []
  if (text.startsWith('+')) return [`+${digits}`]
  const number = readWrittenNumber(text, country)
  const known = typeof number === 'string' ? [] : [number.e164]
  const significant = digits.replace(/^0+/, '')
  return significant.length < DIGITS_MIN ? known : [...known, significant]
}

/** People with the words that name them, first those whom most words name. */
function namedBy(words: readonly string[], people: readonly Named[]) {
  const named = people.map(({ name, phoneNumber }) => {
    const own = partsOfName(name)
    return { phoneNumber, words: words.filter(word => isName(word, own)) }
  })
  let left = NUMBERS_OF_PEOPLE_MAX
  return named
    .sort((one, other) => other.words.length - one.words.length)
    .filter(one => {
      left -= one.words.length
      return left >= 0
    })
}

/** Whether each part of the word begins a part of the name: `núñez`, `Lovelace,`. */
function isName(word: string, name: readonly string[]): boolean {
  const parts = partsOfName(word)
  if (parts.join('').length < LETTERS_MIN || !/\p{L}/u.test(word)) return false
  return parts.every(part => name.some(one => one.startsWith(part)))
}

function partsOfName(text: string): readonly string[] {
  return foldText(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(part => part !== '')
}
