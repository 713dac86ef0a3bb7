/** What people wrote: a conversation from two lists, and which texts the reader has seen. */
import { dayWords } from '#console/time-words.ts'
import type { Pages } from '#console/use-pages.ts'
import type { ReceivedResource } from '#contracts/inbox.ts'
import type { MessageResource } from '#contracts/message.ts'

/** One text of a conversation. */
export interface Talk {
  readonly key: string
  readonly at: string
  readonly text: string | null
  /** Null: it was received. */
  readonly sent: MessageResource | null
}

type Loaded<T> = Pick<Pages<T>, 'rows' | 'hasMore'>

/**
 * Sent and received texts, the oldest first. While a list has older pages, texts of the other list from
 * before are left out, because there may be texts between them.
 */
export function mergeTalk(
  received: Loaded<ReceivedResource>,
  sent: Loaded<MessageResource>,
): readonly Talk[] {
  const heard = received.rows.map(one => ({ key: one.id, at: one.receivedAt, text: one.message, sent: null }))
  const said = sent.rows.map(one => ({ key: one.messageId, at: one.createdAt, text: one.message, sent: one }))
  const from = [received.hasMore ? heard.at(-1)?.at : null, sent.hasMore ? said.at(-1)?.at : null]
    .map(at => at ?? '')
    .reduce((a, b) => (a > b ? a : b))
  return [...heard, ...said].filter(({ at }) => at >= from).sort((a, b) => (a.at < b.at ? -1 : 1))
}

/** Texts of one side that follow each other so closely have one time, below the last of them. */
const RUN_MS = 300_000

export interface DayOfTalk {
  readonly day: string
  /** `isLast`: the time stands below this text. */
  readonly texts: readonly (Talk & { readonly isLast: boolean })[]
}

/** A conversation by the reader's days. */
export function byDayOfTalk(talk: readonly Talk[], now: number): readonly DayOfTalk[] {
  const days = new Map<string, DayOfTalk['texts'][number][]>()
  for (const [index, one] of talk.entries()) {
    const day = dayWords(Date.parse(one.at), now)
    const next = talk[index + 1]
    const goesOn =
      next !== undefined &&
      (next.sent === null) === (one.sent === null) &&
      next.sent?.status === one.sent?.status &&
      next.sent?.deviceId === one.sent?.deviceId &&
      Date.parse(next.at) - Date.parse(one.at) < RUN_MS &&
      dayWords(Date.parse(next.at), now) === day
    const texts = days.get(day) ?? []
    days.set(day, texts)
    texts.push({ ...one, isLast: !goesOn })
  }
  return [...days].map(([day, texts]) => ({ day, texts }))
}

/** At most 15 kB. */
const SENDERS_MAX = 300

export interface SeenTexts {
  /** Texts of other senders are new if they came later. */
  readonly since: string
  readonly bySender: Readonly<Record<string, string>>
}

/** What was seen, with one sender more. Of too many, the one that was silent for longest goes. */
export function withSeen({ since, bySender }: SeenTexts, from: string, at: string): SeenTexts {
  const all = Object.entries({ ...bySender, [from]: at }).sort(([, a], [, b]) => (a < b ? 1 : -1))
  const [, forgotten] = all[SENDERS_MAX] ?? []
  return {
    since: forgotten === undefined || forgotten < since ? since : forgotten,
    bySender: Object.fromEntries(all.slice(0, SENDERS_MAX)),
  }
}
