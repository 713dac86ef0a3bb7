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
  const alerts =
    texts.length === 1
      ? t('the last alert')
      : empty.length === texts.length
        ? t('the last {count} alerts', { count: texts.length })
        : t('{empty} of the last {all} alerts', { empty: empty.length, all: texts.length })
  return t('Your own words would read “{text}” for {alerts}: these have no values of these names.', {
    text: first.trim(),
    alerts,
  })
}
