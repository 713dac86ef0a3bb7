/**
 * What a phone says of itself, made safe to store and to show: one line without control characters, format
 * characters and halves of surrogate pairs.
 */
export function cleanWords(text: string, lengthMax: number): string {
  return text
    .replace(/[\p{Cf}\p{Cs}]+/gu, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, lengthMax)
    .replace(/[\ud800-\udbff]$/, '')
    .trimEnd()
}
