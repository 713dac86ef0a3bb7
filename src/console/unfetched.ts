/** Texts that phones do not fetch although they are online. */
import {
  canSend,
  isInQueue,
  notFetched,
  notFetchedWords,
  type Queueing,
  type Text,
  waitsSince,
  whyWaits,
} from '#console/why-waits.ts'
import type { MessageResource } from '#contracts/message.ts'

/** If phones that are online fetch nothing for longer than this, something is wrong. */
const SILENCE_MS_MAX = 120_000

/** Texts that Home reads. */
const RECENT_MAX = 50

export interface Unfetched {
  /** Since when the oldest text waits, ISO 8601. */
  readonly since: string
  /** The phone on which to look first. */
  readonly name: string
  /** The same as for the text in any list, without a full stop. */
  readonly words: string
}

type Recent = Text & Pick<MessageResource, 'status' | 'segments'>

/**
 * The oldest text that waits although phones are online and have fetched nothing for two minutes. Null: there
 * is none, or these texts do not tell. @param texts the last ones, the newest first
 */
export function unfetchedOf(
  texts: readonly Recent[],
  phones: readonly Queueing[],
  now: number,
): Unfetched | null {
  const waiting = texts.filter(text => isInQueue(text, now))
  const oldest = waiting.at(-1)
  // If all that is known waits, others may be before them.
  if (oldest === undefined || (waiting.length === texts.length && texts.length >= RECENT_MAX)) return null
  if (whyWaits(phones, oldest.deviceId) !== null) return null
  const fetched = texts.flatMap(({ timeline }) => timeline.filter(({ status }) => status === 'sending'))
  const silentSince = Math.max(waitsSince(oldest), ...fetched.map(({ at }) => Date.parse(at)))
  const forecast = { waitsFor: 'turn', deviceId: oldest.deviceId, before: 0, leavesAt: null } as const
  const found = notFetched({ ...oldest, forecast }, phones, now)
  const slowest = Math.min(...phones.filter(canSend).map(one => one.segmentsPerMinute))
  if (found === null || now - silentSince <= SILENCE_MS_MAX + (60_000 * oldest.segments) / slowest)
    return null
  const name = (found.phone ?? phones.find(canSend))?.name ?? ''
  const since = new Date(waitsSince(oldest)).toISOString()
  return { since, name, words: notFetchedWords(found, waiting.length) }
}
