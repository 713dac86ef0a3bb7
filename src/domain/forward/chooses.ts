import type { Forward } from '#domain/forward/forward.ts'
import { foldText } from '#domain/message/search.ts'
import { readWrittenNumber } from '#domain/phone-number/read-written-number.ts'

export interface ChoosableText {
  /** As the phone reported it. */
  readonly from: string
  /** The sender in E.164; null: a name or a short code. */
  readonly number: string | null
  readonly text: string
}

/** Whether a forward passes this text on. `country`: of numbers without + or 00, two letters or empty. */
export function chooses(
  { enabled, from, contains }: Pick<Forward, 'enabled' | 'from' | 'contains'>,
  text: ChoosableText,
  country: string,
): boolean {
  if (!enabled) return false
  if (contains !== null && !foldText(text.text).includes(foldText(contains))) return false
  return from === null || isSender(from, text, country)
}

function isSender(written: string, { from, number }: ChoosableText, country: string): boolean {
  if (foldText(written) === foldText(from)) return true
  const read = readWrittenNumber(written, country)
  return number !== null && typeof read !== 'string' && read.e164 === number
}
