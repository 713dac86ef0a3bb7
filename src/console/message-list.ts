/**
 * Prepares a list of messages: groups it by day, and holds back new messages, so that the list does not move
 * while a person reads.
 */

import { t } from '#console/language.ts'
import { dayWords, spanWords } from '#console/time-words.ts'
import type { MessageResource } from '#contracts/message.ts'

/** A text of several lines as one: `Disk full · Reply 2: I take it`. */
export function inOneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, ' · ')
}

export interface DayOfMessages {
  readonly day: string
  readonly messages: readonly MessageResource[]
}

/** The choices of the filter *When*. Any other value is a day, such as `2026-11-22`. */
export const SPANS_OF_TIME = [
  ['', t('Any time')],
  ['today', t('Today')],
  ['yesterday', t('Yesterday')],
  ['week', t('Last 7 days')],
] as const

/** The bounds that the filter *When* means, in the reader's time zone. */
export function spanOfTime(when: string, now: number): { readonly since?: string; readonly until?: string } {
  const midnight = (daysAgo: number) => {
    const day = new Date(now)
    day.setHours(0, 0, 0, 0)
    day.setDate(day.getDate() - daysAgo)
    return day.getTime()
  }
  if (when === 'today') return { since: instant(midnight(0)) }
  if (when === 'yesterday') return { since: instant(midnight(1)), until: instant(midnight(0) - 1) }
  if (when === 'week') return { since: instant(midnight(6)) }
  const [year, month, day] = when.split('-').map(Number)
  if (year === undefined || month === undefined || day === undefined) return {}
  const until = new Date(year, month - 1, day + 1).getTime() - 1
  if (Number.isNaN(until)) return {}
  return { since: instant(new Date(year, month - 1, day).getTime()), until: instant(until) }
}

function instant(at: number): string {
  return new Date(at).toISOString()
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

/** Groups the messages by local day and keeps their order. */
export function byDay(messages: readonly MessageResource[], now: number): readonly DayOfMessages[] {
  const days = new Map<string, MessageResource[]>()
  for (const message of messages) {
    const day = dayWords(Date.parse(message.createdAt), now)
    const ofDay = days.get(day)
    if (ofDay === undefined) days.set(day, [message])
    else ofDay.push(message)
  }
  return [...days].map(([day, messages]) => ({ day, messages }))
}

/**
 * Splits off the messages that are newer than the one that was on top when the reader scrolled down.
 *
 * @param topId null: the reader is at the top, and everything is shown
 */
export function holdBackNew<T extends Pick<MessageResource, 'messageId'>>(
  messages: readonly T[],
  topId: string | null,
): { readonly newCount: number; readonly shown: readonly T[] } {
  const index = topId === null ? 0 : messages.findIndex(({ messageId }) => messageId === topId)
  const newCount = Math.max(0, index)
  return { newCount, shown: messages.slice(newCount) }
}

/** The numbers of the last texts, each once, newest first. */
export function recentNumbers(messages: readonly Pick<MessageResource, 'phoneNumber'>[]): readonly string[] {
  const numbers = messages.flatMap(({ phoneNumber }) => (phoneNumber === null ? [] : [phoneNumber]))
  return [...new Set(numbers)].slice(0, RECENT_MAX)
}

const RECENT_MAX = 5
