/**
 * Prepares a list of texts: groups it by day, and holds back new ones, so that the list does not move
 * while a person reads.
 */

import { t } from '#console/language.ts'
import { dayWords, spanWords } from '#console/time-words.ts'
import type { MessageResource } from '#contracts/message.ts'
import type { TextResource } from '#contracts/texts.ts'

/** A text of several lines as one: `Disk full · Reply 2: I take it`. */
export function inOneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, ' · ')
}

/** The id of a text. */
export function textKey(text: TextResource): string {
  return 'messageId' in text ? text.messageId : text.id
}

/** When the gateway got it. */
export function textAt(text: TextResource): string {
  return 'messageId' in text ? text.createdAt : text.receivedAt
}

/** How long a text took to leave, if somebody may have noticed. Null: it has not left, or it left quickly. */
export function delayWords({
  createdAt,
  sendAt,
  sentAt,
}: Pick<MessageResource, 'createdAt' | 'sendAt' | 'sentAt'>) {
  if (sentAt === null) return null
  const ms = Date.parse(sentAt) - Math.max(Date.parse(createdAt), Date.parse(sendAt ?? createdAt))
  return ms < NOTICED_MS_MIN ? null : t('left after {span}', { span: spanWords(ms) })
}

const NOTICED_MS_MIN = 10_000

/** Groups texts by local day and keeps their order. */
export function byDay(texts: readonly TextResource[], now: number) {
  const days = new Map<string, TextResource[]>()
  for (const text of texts) {
    const day = dayWords(Date.parse(textAt(text)), now)
    const ofDay = days.get(day)
    if (ofDay === undefined) days.set(day, [text])
    else ofDay.push(text)
  }
  return [...days].map(([day, texts]) => ({ day, texts }))
}

/**
 * Splits off the texts that are newer than the one that was on top when the reader scrolled down.
 *
 * @param topId null: the reader is at the top, and everything is shown
 */
export function holdBackNew(
  texts: readonly TextResource[],
  topId: string | null,
): { readonly newCount: number; readonly shown: readonly TextResource[] } {
  const index = topId === null ? 0 : texts.findIndex(text => textKey(text) === topId)
  const newCount = Math.max(0, index)
  return { newCount, shown: texts.slice(newCount) }
}

/** The numbers of the last texts, each once, newest first. */
export function recentNumbers(messages: readonly Pick<MessageResource, 'phoneNumber'>[]): readonly string[] {
  const numbers = messages.flatMap(({ phoneNumber }) => (phoneNumber === null ? [] : [phoneNumber]))
  return [...new Set(numbers)].slice(0, RECENT_MAX)
}

const RECENT_MAX = 5
