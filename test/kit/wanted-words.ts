/** Words that the state of a text says, whatever its sender calls it. */
const STATE_WORDS: ReadonlySet<string> = new Set(
  (
    'critical warning warn ok down up error failed firing resolved alert problem info notice recovered ' +
    'alarm success triggered failure high low open closed fatal'
  ).split(' '),
)

/** The share of the telling words of a wanted text that another text lacks: 0 to 1. Without any: 1. */
export function wordsMissing(wanted: string, text: string): number {
  const found = new Set(wordsIn(text))
  const words = [...new Set(wordsIn(wanted))].filter(word => !STATE_WORDS.has(word))
  const missing = words.filter(word => !found.has(word))
  return words.length === 0 ? 1 : missing.length / words.length
}

function wordsIn(text: string): readonly string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+(?:[.%][\p{L}\p{N}]+)*%?/gu) ?? []
  return words.filter(word => word.length > 1 || /\d/.test(word))
}
