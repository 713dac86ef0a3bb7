/** Who wants no more texts: what a text asks for, and which messages that concerns. */
import type { OptOutResource } from '#contracts/opt-out.ts'
import type { Message } from '#domain/message/message.ts'
import type { OptOut } from '#domain/message/opt-out-store.ts'
import { Problem } from '#domain/problem.ts'
import { instant } from '#domain/time.ts'
import type { World } from '#domain/world.ts'

/** Longer texts are more than one word of `messages.stop_words`. */
const WORDS_LENGTH_MAX = 60

/** What a received text asks for; null: neither. `stopWords`: in lower case. */
export function readStopOrStart(text: string, stopWords: readonly string[]): 'stop' | 'start' | null {
  if (text.length > WORDS_LENGTH_MAX) return null
  const words = text
    .toLowerCase()
    .replace(/[.!]+\s*$/, '')
    .trim()
  if (words === 'start') return 'start'
  return stopWords.includes(words) ? 'stop' : null
}

type Asked = Pick<Message, 'accountId' | 'test' | 'kind' | 'phoneNumber' | 'despiteOptOut'>

/**
 * Whether the message may not go, because its number wants no more texts. Codes and alerts go all the same:
 * they were asked for.
 */
export function isOptedOut({ optOuts }: Pick<World, 'optOuts'>, message: Asked): boolean {
  return message.kind === 'sms' && !message.despiteOptOut && optOuts.has(message)
}

export function describeOptOut({ phoneNumber, since, by }: OptOut): OptOutResource {
  return { phoneNumber, since: instant(since), by }
}

export function refuseOptedOut(numbers: readonly string[]): Problem {
  const [only] = numbers
  const message =
    numbers.length === 1
      ? `${only} wants no more texts: it is on the list of opt-outs`
      : 'all of these numbers want no more texts: they are on the list of opt-outs'
  return new Problem('FORBIDDEN', message, { reason: 'OPTED_OUT' })
}
