import { wordsOf } from '#domain/alert/text/clean-text.ts'
import { readState } from '#domain/alert/vocabulary/states.ts'

/** Words that say nothing new when the others are known. */
const FILLERS = new Set('a an the on of in at for to from with is are was has have been be alert'.split(' '))
const NEGATION = /^(?:no|not|none|never|without|cannot)$/
/** A text of so few words is a name, which may stand beside a sentence about it. */
const ECHO_WORDS_MIN = 3
/** Enough for all sentences that a text has room for. */
const SENTENCES_MAX = 12
const SENTENCE_GAP = /(?<=[.!?]) +(?=\S)/
/** What follows may be about another thing. */
const CLAUSE_GAP = /[.!?,;] +| - /

/** The words that tell something, without fillers. */
function tellingWords(text: string): readonly string[] {
  return wordsOf(text)
    .trim()
    .split(' ')
    .filter(word => word !== '' && !FILLERS.has(word))
}

/** Whether a clause of `whole` says all words of `part`, and adds no state and no negation of its own. */
export function isEcho(part: string, whole: string): boolean {
  const words = new Set(tellingWords(part))
  if (words.size < ECHO_WORDS_MIN) return false
  return whole.split(CLAUSE_GAP).some(clause => {
    const own = tellingWords(clause)
    const isSaid = own.length >= words.size && [...words].every(word => own.includes(word))
    return isSaid && own.every(word => words.has(word) || !(NEGATION.test(word) || readState(word) !== null))
  })
}

/**
 * Drops the sentences that only repeat the text before them (`head`) or another sentence. The first of two
 * equal sentences stays. Lines without a sentence are dropped.
 */
export function dropEchoes(lines: readonly string[], head: string): string[] {
  const sentences = lines.slice(0, SENTENCES_MAX).map(line => line.split(SENTENCE_GAP))
  const all = sentences.flat()
  if (all.length > SENTENCES_MAX) return [...lines]
  const known = new Set(wordsOf(head).trim().split(' '))
  const isKnown = (sentence: string): boolean =>
    all.length > 1 &&
    /[.!?]$/.test(sentence) &&
    tellingWords(sentence).every(word => word === 'failed' || known.has(word))
  let at = -1
  const isNew = (sentence: string): boolean => {
    at += 1
    const own = at
    return (
      !isKnown(sentence) && !all.some((other, index) => index !== own && isTwin(sentence, other, index < own))
    )
  }
  const kept = sentences.map(line => line.filter(isNew).join(' ')).filter(line => line !== '')
  return kept.length > 0 ? [...kept, ...lines.slice(SENTENCES_MAX)] : lines.slice(0, 1)
}

/** Whether another sentence says the same. Of two equal ones, only the later is a twin. */
function isTwin(sentence: string, other: string, isEarlier: boolean): boolean {
  return isEcho(sentence, other) && (isEarlier || !isEcho(other, sentence))
}
