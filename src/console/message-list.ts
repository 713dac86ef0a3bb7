/**
 * Prepares a list of messages: groups it by day, and holds back new messages, so that the list does not move
 * while a person reads.
 */
import { dayWords } from '#console/time-words.ts'
import type { MessageResource } from '#contracts/message.ts'

export interface DayOfMessages {
  readonly day: string
  readonly messages: readonly MessageResource[]
}

/**
 * What to search for. Phone numbers are stored without the spaces, hyphens and brackets with which people
 * write them. Digits without a plus or a space may be a date, so they stay as they were typed.
 */
export function searchOf(typed: string): string {
  const text = typed.trim()
  const isNumber = /^\+?[\d ()/-]+$/.test(text) && /^\+| /.test(text)
  return isNumber ? text.replaceAll(/[^+\d]/g, '') : text
}

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
