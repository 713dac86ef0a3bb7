import { MESSAGE_LENGTH_MAX } from '#contracts/bounds.ts'
import { cleanText } from '#domain/alert/text/clean-text.ts'
import { segmentsOf } from '#domain/message/segments.ts'

/**
 * A text of a monitor without emoji, markup and signs that cost a segment; its lines and words stay. A text
 * that would be empty, too long or dearer without them is sent as it came.
 */
export function cleanMessage(text: string): string {
  const cleaned = cleanText(text)
  const isSound = cleaned !== '' && cleaned.length <= MESSAGE_LENGTH_MAX
  return isSound && segmentsOf(cleaned).segments <= segmentsOf(text).segments ? cleaned : text
}
