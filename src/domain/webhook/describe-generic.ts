import {
  decideState,
  errorState,
  fieldStates,
  HOSTS,
  otherRank,
  REASONS,
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

/** Numbers and flags say something beside the name of a thing; other words mostly describe it. */
const MEASURED = /=(?:true|false|-?\d[\d.,]* ?[^\d\s]{0,4})$/

/** What an alert says before it is known how it is said. */
interface Findings {
  readonly title: Headline
  /** Whether the title is a sentence or a name given to the alert, not only the name of a thing. */
  readonly isTitled: boolean
  /** Whether there is nothing but the name of a thing. */
  readonly isThing: boolean
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
  if (summary.length === 0 && found.isThing) {
    const pairs = digestPairs(value, [title.text, host, state?.word ?? ''])
    detail.push(
      pairs
        .filter(pair => MEASURED.test(pair) && !says(detail.join(' '), pair.replace(/^[^=]*=/, '')))
        .join(' '),
    )
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
  const host = findLabel(scopes, HOSTS)
  const fields = fieldStates(scopes)
  const texts = readTexts(scopes)
  const { strong, thing, lines, textRaw } = texts
  const name = strong || thing || (fields.status.length > 0 && lines.length === 0 ? host : '')
  const title = readHeadline(withEvent(name, scopes, strong !== ''))
  const lead = readHeadline(lines[0] ?? '')
  // "Person at door" is the name of an alarm; "garage" only says where.
  const isTitled = strong !== '' || thing.split(' ').length >= 3
  const found = { title, isTitled, isThing: strong === '', lines, host }
  if (name === '' && isVerbatim(textRaw, lines, lead) && fields.status.length + fields.rank.length === 0) {
    return { ...found, lead: { ...lead, state: null, stated: false }, state: null }
  }
  const raw = [strong === '' ? thing : findRaw(scopes, TITLES), textRaw]
  return { ...found, lead, state: decideState(fields, [title, lead], raw) ?? errorState(scopes) }
}

interface Texts {
  readonly strong: string
  readonly thing: string
  readonly lines: readonly string[]
  readonly textRaw: string
}

function readTexts(scopes: Scopes): Texts {
  const strong = findLabel(scopes, TITLES)
  const textRaw = findRaw(scopes, TEXTS)
  const lines = failedRows(textRaw) ?? leadFirst(linesOf(textRaw))
  if (strong !== '') return { strong, thing: '', lines, textRaw }
  const event = findLabel(scopes, ['event', 'eventname'])
  const thing = findLabel(scopes, THINGS) || (readState(event) === null ? event : '')
  const first = lines.length === 1 ? (lines[0] ?? '') : ''
  const isNews = (line: string): boolean => line.includes(' ') && !says(first, line)
  const more = first === '' ? [] : linesOf(findRaw(scopes, REASONS)).filter(isNews)
  if (more.length === 0) return { strong, thing, lines, textRaw }
  // A message with a description is a title with a message.
  return thing === ''
    ? { strong: first, thing, lines: more, textRaw }
    : { strong, thing, lines: [first, ...more], textRaw }
}

/** A line that begins with its state in brackets comes before a greeting. */
function leadFirst(lines: readonly string[]): readonly string[] {
  const bare = lines.map(line => line.replace(/^\p{L}{3,12}: ?(?=\[)/u, ''))
  const at = bare.slice(0, 3).findIndex(line => line.startsWith('[') && readHeadline(line).stated)
  return at < 0 ? lines : [bare[at] ?? '', ...lines.filter((_, index) => index !== at)]
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
  const middle = / is ([a-z]{2,12}), (?=\S)/i.exec(line)
  if (middle === null || readState(middle[1] ?? '')?.word !== word) return line
  return `${line.slice(0, middle.index)}: ${line.slice(middle.index + middle[0].length)}`
}
