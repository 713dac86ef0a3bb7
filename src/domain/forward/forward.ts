import type { ForwardFields, ForwardRequest } from '#contracts/forward.ts'
import type { TargetState } from '#domain/forward/failing.ts'

/** A forward as stored in the database. Times are wall-clock milliseconds. */
export interface Forward extends ForwardFields, TargetState {
  /** `fwd_…` */
  readonly id: string
  readonly accountId: string
  readonly createdAt: number
}

/** A text on its way through a forward. */
export interface PassedText {
  /** The id of the delivery, the same for repeats: `evt_` and a ULID. */
  readonly id: string
  /** Null: unknown. */
  readonly from: string | null
  /** Codes are already masked, unless the forward passes them on. */
  readonly text: string
  /** ISO 8601. */
  readonly receivedAt: string
  /** By the network's or the phone's clock; null, or left out by an earlier version: unknown. */
  readonly sentAt?: string | null
}

type Need = 'must' | 'may' | 'no'

/** What a kind needs, and how it passes a text on. */
export interface Adapter {
  /** Which settings it has: needed, optional, or none. */
  readonly url: Need
  readonly target: Need
  readonly credential: Need
  /** Says what is wrong with a target; null: nothing. */
  readonly faultOfTarget?: (target: string) => string | null
  readonly request: (forward: Forward, text: PassedText) => ForwardRequest
  /**
   * The pause that an answer (JSON) asks for in its body, in milliseconds. The header `Retry-After` is read
   * anyway.
   */
  readonly pauseMs?: (answer: Record<string, unknown>) => unknown
}

/** The time of a text that came later than this is named. */
const LATE_MS = 300_000

/** What stands above the text where a service has a title. */
export function titleOf({ from, receivedAt, sentAt }: PassedText): string {
  const title = `Text from ${from ?? 'an unknown sender'}`
  if (sentAt == null || Math.abs(Date.parse(receivedAt) - Date.parse(sentAt)) <= LATE_MS) return title
  return `${title}, sent ${sentAt.slice(0, 16).replace('T', ' ')} UTC`
}

/** How often gateways have passed a text on, by the titles that it begins with. */
export function timesPassed(text: string): number {
  let [left, times] = [text, 0]
  for (;;) {
    const [title = ''] = /^Text from [^\n]{1,80}?:\s{1,2}/.exec(left) ?? []
    if (title === '') return times
    left = left.slice(title.length)
    times++
  }
}

/** Title and text as one, at most `lengthMax` UTF-16 units, never cut inside a grapheme. */
export function wholeText(text: PassedText, lengthMax: number): string {
  return shorten(`${titleOf(text)}:\n${text.text}`, lengthMax)
}

const GRAPHEMES = new Intl.Segmenter()

/** A text of at most `lengthMax` UTF-16 units, never cut inside a grapheme. */
export function shorten(text: string, lengthMax: number): string {
  if (text.length <= lengthMax) return text
  const cut = GRAPHEMES.segment(text).containing(lengthMax - 1)?.index ?? lengthMax - 1
  return `${text.slice(0, cut)}…`
}

/** A POST of JSON. */
export function postJson(
  url: string,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): ForwardRequest {
  return {
    via: 'http',
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(value),
  }
}

/** An address below the base of a server, which may end with a slash. */
export function below(base: string | null, path: string): string {
  return `${(base ?? '').replace(/\/+$/, '')}${path}`
}
