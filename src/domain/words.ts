import { ENGLISH, type Sentence, say, sentence } from '#contracts/words.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#domain/time.ts'

/** `1 text waits`, `3 texts wait`. */
export function count(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`
}

/** A time span in whole minutes, hours or days: `90 minutes`, `3 days`. */
export function spanInWords(ms: number): string {
  return say(ENGLISH, spanSentence(ms))
}

/** The same, to be said in any language. */
export function spanSentence(ms: number): Sentence {
  if (ms >= 2 * DAY_MS) return sentence('1 day|{count} days', { count: Math.round(ms / DAY_MS) })
  if (ms >= 2 * HOUR_MS) return sentence('1 hour|{count} hours', { count: Math.round(ms / HOUR_MS) })
  return sentence('1 minute|{count} minutes', { count: Math.max(1, Math.round(ms / MINUTE_MS)) })
}
