/** The parts of the list of texts, with how many texts each has. */
import { language, t } from '#console/language.ts'
import type { TextCount, TextsResource } from '#contracts/texts.ts'

type Counts = TextsResource['counts']
type Cut = keyof NonNullable<Counts>

const WORDS: readonly (readonly [cut: Cut, word: string])[] = [
  ['all', t('All')],
  ['waiting', t('Waiting')],
  ['failed', t('Failed')],
  ['received', t('Received')],
]

/** @param counts null: not known yet */
export function cutWords(counts: Counts): readonly (readonly [value: string, word: string])[] {
  return WORDS.map(([cut, word]) => [cut === 'all' ? '' : cut, `${word}${countWords(counts?.[cut])}`])
}

/** Nothing for a count of which only the first part was read and has none. */
function countWords(count: TextCount | undefined): string {
  if (count === undefined || (count.count === 0 && count.isMore)) return ''
  return ` ${language.number(count.count)}${count.isMore ? '+' : ''}`
}
