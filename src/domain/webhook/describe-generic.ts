import {
  decideState,
  errorState,
  fieldStates,
  HOSTS,
  otherRank,
  SPAN_BEGINNINGS,
  SPAN_ENDS,
  SPANS,
  SUBJECTS,
  TEXTS,
  THINGS,
  TITLES,
  VALUES,
} from '#domain/webhook/alert-fields.ts'
import { cleanLine, linesOf } from '#domain/webhook/clean-text.ts'
import { type Report, says } from '#domain/webhook/compose-report.ts'
import { digestPairs } from '#domain/webhook/digest-fields.ts'
import { findLabel, findRaw, type Scopes } from '#domain/webhook/find-fields.ts'
import { type Headline, readHeadline, stateShown } from '#domain/webhook/headline.ts'
import type { Json } from '#domain/webhook/json-value.ts'
import { failedRows } from '#domain/webhook/read-table.ts'
import { readState, type State } from '#domain/webhook/state-words.ts'
import { printSpan, readSpan, spanBetween } from '#domain/webhook/time-span.ts'

/** What an alert says before it is known how it is said. */
interface Findings {
  readonly title: Headline
  /** Whether the title is a sentence or a name given to the alert, not only the name of a thing. */
  readonly isTitled: boolean
  readonly lines: readonly string[]
  readonly lead: Headline
  readonly state: State | null
  readonly host: string
}

/** A title, a message, or a thing with a state: what most senders have. `null` when none of it is there. */
export function describeGeneric(value: Json, scopes: Scopes): Report | null {
  const confirmation = findRaw(scopes, ['subscribeurl', 'confirmationurl'])
  if (confirmation !== '') return { state: 'CONFIRM', what: 'subscription', summary: confirmation }
  const found = find(scopes)
  const { title, isTitled, lines, state, host } = found
  if (!isTitled && lines.length === 0 && (title.text === '' || state === null)) return null
  const summary = rewordLines(found)
  const detail = [spanOf(found, scopes), cleanLine(findRaw(scopes, VALUES)).replace(/[()]/g, '')]
  if (summary.length === 0 && !isTitled) {
    detail.push(digestPairs(value, [title.text, host, state?.word ?? '']).join(' '))
  }
  const rank = state?.kind === 'weak' ? otherRank(scopes) : ''
  if (rank !== '') return { state: wordOf(found), what: rank, summary: [onHost(found), ...summary], detail }
  const isBare = summary.length === 0 && state !== null
  const word = wordOf(found)
  return {
    state: word,
    what: isBare ? onHost(found) : title.text,
    summary,
    detail: isBare || word === '' ? detail : [...detail, findLabel(scopes, SUBJECTS), host],
  }
}

function find(scopes: Scopes): Findings {
  const strong = findLabel(scopes, TITLES)
  const host = findLabel(scopes, HOSTS)
  const textRaw = findRaw(scopes, TEXTS)
  const lines = failedRows(textRaw) ?? linesOf(textRaw)
  const fields = fieldStates(scopes)
  const event = findLabel(scopes, ['event', 'eventname'])
  const thing = strong !== '' ? '' : findLabel(scopes, THINGS) || (readState(event) === null ? event : '')
  // "Person at door" is the name of an alarm; "garage" only says where.
  const isSentence = thing.split(' ').length >= 3
  const name = strong || thing || (fields.status.length > 0 && lines.length === 0 ? host : '')
  const title = readHeadline(withEvent(name, scopes, strong !== ''))
  const lead = readHeadline(lines[0] ?? '')
  const isTitled = strong !== '' || isSentence
  if (name === '' && isVerbatim(textRaw, lines, lead) && fields.status.length + fields.rank.length === 0) {
    return { title, isTitled, lines, lead: { ...lead, state: null, stated: false }, state: null, host }
  }
  const rawTitle = strong === '' ? thing : findRaw(scopes, TITLES)
  const state = decideState(fields, [title, lead], [rawTitle, textRaw]) ?? errorState(scopes)
  return { title, isTitled, lines, lead, state, host }
}

/** One plain line and nothing else: somebody's own words, sent as they are. */
function isVerbatim(raw: string, lines: readonly string[], lead: Headline): boolean {
  return (
    lines.length === 1 &&
    !raw.trim().includes('\n') &&
    !(lead.stated && raw.startsWith('[')) &&
    stateShown(raw) === null
  )
}

/** What happened, where the sender says it in words of its own beside the title: "New request". */
function withEvent(name: string, scopes: Scopes, isTitle: boolean): string {
  const event = cleanLine(findRaw(scopes, ['event', 'eventname']))
  const isPhrase = /^\p{L}[\p{L} ]{2,38}$/u.test(event) && event.includes(' ')
  return isTitle && isPhrase && !says(name, event) ? `${event} - ${name}` : name
}

function wordOf({ title, lead, state }: Findings): string {
  if (state === null || state.kind === 'quiet') return ''
  return title.text === '' && lead.state === state ? state.word + lead.sign : state.word
}

function onHost({ title, host }: Findings): string {
  return host === '' || title.text === '' || says(title.text, host) ? title.text : `${title.text} on ${host}`
}

function spanOf({ title, lead, state }: Findings, scopes: Scopes): string {
  if (state?.kind !== 'good') return ''
  const given = title.span || lead.span || readSpan(cleanLine(findRaw(scopes, SPANS)))
  const span = given || printSpan(spanBetween(findRaw(scopes, SPAN_BEGINNINGS), findRaw(scopes, SPAN_ENDS)))
  return span === '' ? '' : `after ${span}`
}

/** The message's lines without what the state already says. */
function rewordLines({ lines, lead, state }: Findings): readonly string[] {
  if (lines.length === 0) return []
  const first = lead.stated ? lead.text : (lines[0] ?? '')
  return [state === null ? first : tellReason(first, state.word), ...lines.slice(1)].map(line =>
    line.replace(/^- /, ''),
  )
}

/** "nas disk is critical, 96 % used" after CRITICAL: the name and the reason. */
function tellReason(line: string, word: string): string {
  const middle = ` is ${word.toLowerCase()}, `
  const at = line.toLowerCase().indexOf(middle)
  return at < 1 ? line : `${line.slice(0, at)}: ${line.slice(at + middle.length)}`
}
