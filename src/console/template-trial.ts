/** Whether the owner's words say something for real alerts. */

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
      ? 'the last alert'
      : empty.length === texts.length
        ? `the last ${texts.length} alerts`
        : `${empty.length} of the last ${texts.length} alerts`
  return `Your own words would read “${first.trim()}” for ${alerts}: these have no values of these names.`
}
