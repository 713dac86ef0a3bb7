/**
 * Bounds the work of JSON from outside. Its length alone does not: a body of 256 KiB may have 87,000 values.
 * To make, check and copy each of them takes much longer than to read its three bytes.
 */
import { JSON_DEPTH_MAX } from '#contracts/bounds.ts'

/**
 * Values in one JSON text, as its commas and opening brackets count them. The largest real alerts have half
 * as many.
 */
export const JSON_VALUES_MAX = 4000

/** UTF-16 code units of JSON's syntax. Numbers compare faster than texts of one character. */
const UNITS = {
  quote: 0x22,
  comma: 0x2c,
  openingBracket: 0x5b,
  backslash: 0x5c,
  closingBracket: 0x5d,
  openingBrace: 0x7b,
  closingBrace: 0x7d,
} as const

/** Why a JSON text takes too long to parse, as the end of a sentence about it; null: it does not. */
export function faultOfShape(text: string, valuesMax = JSON_VALUES_MAX): string | null {
  const mayBeDeep = hasMore(text, ['{', '['], JSON_DEPTH_MAX)
  const mayBeWide = hasMore(text, ['{', '[', ','], valuesMax)
  return mayBeDeep || mayBeWide ? countValues(text, valuesMax) : null
}

function countValues(text: string, valuesMax: number): string | null {
  let depth = 0
  let values = 0
  let inString = false
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (inString) {
      if (unit === UNITS.backslash) i++
      else if (unit === UNITS.quote) inString = false
    } else if (unit === UNITS.quote) inString = true
    else if (unit === UNITS.comma) values++
    else if (unit === UNITS.openingBrace || unit === UNITS.openingBracket) {
      values++
      if (++depth > JSON_DEPTH_MAX) return `is nested deeper than ${JSON_DEPTH_MAX} levels`
    } else if (unit === UNITS.closingBrace || unit === UNITS.closingBracket) depth--
    if (values > valuesMax) return `has more than ${valuesMax} values`
  }
  return null
}

/** Whether the text has more than `most` of these characters. This is quick, and true for few texts. */
function hasMore(text: string, characters: readonly string[], most: number): boolean {
  let left = most
  for (const character of characters)
    for (let at = text.indexOf(character); at !== -1; at = text.indexOf(character, at + 1))
      if (--left < 0) return true
  return false
}
