import type { HeldAlerts } from '#contracts/seen-trigger.ts'
import { type Language, say } from '#contracts/words.ts'
import { cutText } from '#domain/alert/text/cut-text.ts'
import { joinWords } from '#domain/alert/text/join-words.ts'
import { segmentsOf } from '#domain/message/segments.ts'
import type { Gathered, Thing } from '#domain/webhook/storm.ts'

const SEGMENTS_MAX = 3
/** UTF-16 units that fit in so many segments of any alphabet. */
const LENGTH_SURE = 201
/** UTF-16 units of the last alert's text, beside the names. */
const LAST_LENGTH_MAX = 160

/**
 * One text about what changed since the last one, the worst first. Null: nothing did. `line`: may be put
 * after it, and pushes no name out.
 */
export function stormText(
  { things, unnamed, last }: Gathered,
  language: Language,
  line: string,
): string | null {
  const news = things.filter(({ isNews }) => isNews)
  if (news.length === 0 && unnamed.count === 0) return null
  const parts = partsOf(things, language)
  // A single alert keeps its own words, which say more than its name.
  if (parts.length < 2 && news.length + unnamed.count === 1 && last !== null) return fit(() => last.text)
  if (unnamed.count > 0) {
    const { count } = unnamed
    const more =
      parts.length > 0
        ? say(language, '1 more alert|{count} more alerts', { count })
        : say(language, '1 alert|{count} alerts', { count })
    const text = cutText(unnamed.text, LAST_LENGTH_MAX)
    parts.push(() => `${more}. ${say(language, 'Last: {text}', { text })}`)
  }
  return fit(names => parts.map(part => part(names)).join('. '), line)
}

/** The text about alerts that the cap refused. */
export function summaryText(
  { count, text: lastText }: Pick<HeldAlerts, 'count' | 'text'>,
  gathered: Gathered | undefined,
  language: Language,
): string {
  const head = say(language, '1 more alert held back|{count} more alerts held back', { count })
  const things = gathered?.things ?? []
  // The words of a single alert say more than its name.
  const parts = partsOf(count === 1 ? things.filter(({ isNews }) => !isNews) : things, language)
  return fit(names => {
    const text = parts.length > 0 ? cutText(lastText, LAST_LENGTH_MAX) : lastText
    return [head, ...parts.map(part => part(names)), say(language, 'Last: {text}', { text })].join('. ')
  })
}

/** A part of a text that names at most so many things. */
type Part = (names: number) => string

/** Where several things have one name, each with what tells it from the others: `PING web1`. */
function withDetails(things: readonly Thing[]): readonly Thing[] {
  const counts = new Map<string, number>()
  for (const { name } of things) counts.set(name, (counts.get(name) ?? 0) + 1)
  return things.map(one => ({
    ...one,
    name: counts.get(one.name) === 1 ? one.name : joinWords(one.name, one.detail ?? ''),
  }))
}

function partsOf(noted: readonly Thing[], language: Language): Part[] {
  const things = withDetails(noted)
  const news = things.filter(({ isNews }) => isNews).sort(byRank)
  const down = news.filter(({ state }) => state === 'down')
  const up = news.filter(({ state }) => state === 'up')
  const others = news.filter(({ state }) => state === 'other')
  const still = things.filter(({ state, isNews }) => state === 'down' && !isNews).sort(byRank)
  const isAllUp = down.length + still.length === 0
  const parts: Part[] = []
  if (down.length > 0) {
    const head = say(language, '{count} down', { count: down.length })
    parts.push(names => list(head, down, names))
  }
  if (still.length > 0) {
    const count = say(language, '{count} still down', { count: still.length })
    const head = say(language, 'Still down')
    parts.push(names => (down.length > 0 ? count : list(head, still, names)))
  }
  if (up.length > 0) {
    const head = say(language, '{count} up again', { count: up.length })
    parts.push(names => (isAllUp ? list(head, up, names) : head))
  }
  if (others.length > 0) {
    const { length: count } = others
    const head =
      parts.length > 0
        ? say(language, '1 other|{count} others', { count })
        : say(language, '1 alert|{count} alerts', { count })
    parts.push(names => list(head, others, names))
  }
  return parts
}

/** Things in the order of their alerts stay so, as sorting is stable. */
function byRank(one: Thing, other: Thing): number {
  return other.rank - one.rank
}

/** `25 up again: svc01, svc02 +23`. `count`: of all. `line`: may be put after it, and pushes no name out. */
export function namesText(
  head: string,
  names: readonly string[],
  { count = names.length, line = '' }: { readonly count?: number; readonly line?: string } = {},
): string {
  return fit(most => listed(head, names.slice(0, most), count), line)
}

/** `Still down: NAS, Router +9` */
function list(head: string, things: readonly Thing[], names: number): string {
  const named = things.slice(0, names).map(({ name }) => name)
  return listed(head, named, things.length)
}

function listed(head: string, named: readonly string[], count: number): string {
  const more = count - named.length
  if (named.length === 0) return head
  return `${head}: ${named.join(', ')}${more > 0 ? ` +${more}` : ''}`
}

/** The text with as many names as fit, and with the line in the same number of segments where that can be. */
function fit(textOf: Part, line = ''): string {
  for (let names = 100; names >= 0; names--) {
    const text = textOf(names)
    const { segments } = segmentsOf(text)
    if (segments <= SEGMENTS_MAX && segmentsOf(`${text}${line}`).segments === segments) return text
  }
  return line === '' ? cutText(textOf(0), LENGTH_SURE) : fit(textOf)
}
