/** Whether the owner's words say something for real alerts. */
import { t } from '#console/language.ts'

/** A text without a letter or a digit, such as `:`, tells nobody anything. */
export function saysNothing(text: string): boolean {
  return !/[\p{L}\p{N}]/u.test(text)
}

/**
 * The texts that the owner's words would make of the last alerts, in a sentence. Null: all say something.
 *
 * @param texts the text of each alert, newest first
 */
export function trialWords(texts: readonly string[]): string | null {
  const empty = texts.filter(saysNothing)
  const [first] = empty
  if (first === undefined) return null
  const values = { text: first.trim(), some: empty.length, all: texts.length }
  return t(
    'Your own words would read “{text}” for {some} of the last {all} alerts: look at the values.',
    values,
  )
}
