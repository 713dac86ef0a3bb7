/**
 * The text of a drill. Its code has 40 random bits, and is known only to the row of the drill and to the
 * phones: the row of the message has it masked from the start.
 */
import { type Language, say, sentence } from '#contracts/words.ts'

const MASKED = '********'
const WORDS = sentence('it shows that texts leave and arrive. Please do not answer.')
/** Eight characters of Crockford's base32 that stand alone. */
const CODE = /(?<![\p{L}\p{N}])[0-9A-HJKMNP-TV-Z]{8}(?![\p{L}\p{N}])/giu
/** A text of a drill has one code. A longer text with many must not be a way to guess. */
const CODES_READ_MAX = 4

/** The text with the code masked. */
export function maskedDrillText(language: Language): string {
  return `Roost drill ${MASKED}: ${say(language, WORDS)}`
}

export function withDrillCode(text: string, code: string): string {
  return text.replace(MASKED, code)
}

/** What may be codes of drills in a text: networks change its case, and may put words around it. */
export function codesIn(text: string): readonly string[] {
  const codes = text.match(CODE) ?? []
  return codes.slice(0, CODES_READ_MAX).map(code => code.toUpperCase())
}
