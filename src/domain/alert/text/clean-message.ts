import { MESSAGE_LENGTH_MAX } from '#contracts/bounds.ts'
import { cleanText } from '#domain/alert/text/clean-text.ts'
import { segmentsOf } from '#domain/message/segments.ts'

/**
 * Removes emoji and markup from the text of a monitor, and replaces signs outside GSM-7. Lines and words
 * stay. A text that would then be empty, too long or need more segments is returned unchanged.
 */
export function cleanMessage(text: string): string {
  const cleaned = cleanText(text)
  const isSound = cleaned !== '' && cleaned.length <= MESSAGE_LENGTH_MAX
  return isSound && segmentsOf(cleaned).segments <= segmentsOf(text).segments ? cleaned : text
}
