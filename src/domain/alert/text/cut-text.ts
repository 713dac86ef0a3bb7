import { ALERT_LENGTH_MAX } from '#contracts/bounds.ts'
import { segmentsOf } from '#domain/message/segments.ts'

const SEGMENTER = new Intl.Segmenter('en', { granularity: 'grapheme' })
/** One segment of UCS-2 has 70 characters, too few for a state, a name and a reason. */
const SEGMENTS_UCS_2_MAX = 2

/** What turns the direction of letters, and other characters that nobody sees: a text must not hide any. */
const TURNS = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g

/**
 * Puts a text on one line and trims it. Lone surrogates become U+FFFD. A run of spaces and control characters
 * becomes one space, but a run of spaces alone stays as it is. Signs that nobody sees are removed.
 */
export function joinedLine(text: string): string {
  return text
    .toWellFormed()
    .replace(TURNS, '')
    .replace(/[\p{Cc}\u2028\u2029 ]+/gu, run => (/^ +$/.test(run) ? run : ' '))
    .trim()
}

/** Cuts to `length` UTF-16 units between graphemes; a longer grapheme is cut between surrogate pairs. */
export function cutText(text: string, length = ALERT_LENGTH_MAX): string {
  if (text.length <= length) return text
  const window = text.slice(0, length + 64)
  const start = SEGMENTER.segment(window).containing(length)?.index ?? length
  if (start > 0) return window.slice(0, start).trimEnd() || window.slice(0, start)
  // The first grapheme is longer than `length`.
  const next = text.charCodeAt(length)
  const isInsidePair = next >= 0xdc00 && next <= 0xdfff
  return text.slice(0, isInsidePair ? length - 1 : length)
}

/** Whether a text is short enough for an alert: one segment of GSM-7, or two of UCS-2. */
export function isShort(text: string): boolean {
  const { encoding, segments } = segmentsOf(text)
  return segments <= (encoding === 'GSM-7' ? 1 : SEGMENTS_UCS_2_MAX)
}

/** UTF-16 units. A longer name would push others out of a text. */
const NAME_LENGTH_MAX = 40

/** The name of a thing, cut for a list of names. */
export function shortName(name: string): string {
  return cutText(name, NAME_LENGTH_MAX).trim()
}
