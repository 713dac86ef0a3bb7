import { ALERT_VALUE_LENGTH_MAX } from '#contracts/bounds.ts'
import { namesThing } from '#domain/alert/guess/name-fields.ts'
import { findEnding, findLabel, findRaw, type Scopes } from '#domain/alert/read/find-fields.ts'
import { cleanLine, linesOf, mentions, wordsOf } from '#domain/alert/text/clean-text.ts'
import { isFaultLine, saysNoFault } from '#domain/alert/text/fault-line.ts'
import { readHeadline, stateInSentence } from '#domain/alert/text/headline.ts'
import { failedRows } from '#domain/alert/text/read-table.ts'
import {
  PROSE,
  REASONS,
  TEXT_ENDING,
  TEXTS,
  THINGS,
  TITLE_ENDING,
  TITLES,
} from '#domain/alert/vocabulary/field-names.ts'
import { readState, type State } from '#domain/alert/vocabulary/states.ts'

/** The texts of a payload, by their role. A missing text is empty. */
export interface GuessedTexts {
  /** A title: a sentence, or the alert's own name. */
  readonly ownTitle: string
  /** The name of a thing. */
  readonly thing: string
  /** The lines of the message, cleaned. */
  readonly lines: readonly string[]
  /** The message unchanged, from which `lines` were made. */
  readonly rawText: string
}

/** Endings of fields with a title in words, beside one that is an identifier. */
const WORDED = /(?:title|subject|headline)$/
/** Fewer words before a colon are a label. */
const INTRODUCTION_WORDS_MIN = 5
const NUMBER = /^-?[\d.,]+$/

/** Finds the texts of a payload by field name, then by the ending of the field name. */
export function readTexts(scopes: Scopes): GuessedTexts {
  const ownTitle = titleOf(scopes) || titleByEnding(scopes) || summaryAsTitle(scopes)
  const rawText = messageBeside(ownTitle, scopes)
  const lines = failedRows(rawText) ?? stateLineFirst(withoutTitle(linesOf(rawText), ownTitle))
  if (ownTitle !== '')
    return NUMBER.test(rawText) && isMeasured(scopes)
      ? { ownTitle, thing: '', lines: [], rawText: '' }
      : { ownTitle, thing: '', lines: withoutIntroductions(lines), rawText }
  const event = findLabel(scopes, ['event', 'eventname'])
  const thing =
    findLabel(scopes, THINGS, namesThing) || (readState(event) === null && namesThing(event) ? event : '')
  // A number without a name says nothing.
  const hasMore = scopes.some(({ size }) => size > 1)
  if (hasMore && NUMBER.test(rawText) && (thing === '' || isMeasured(scopes)))
    return { ownTitle, thing, lines: [], rawText: '' }
  const first = lines.length === 1 ? (lines[0] ?? '') : ''
  const saysMore = (line: string): boolean => line.includes(' ') && !mentions(first, line)
  const more = first === '' ? [] : linesOf(findRaw(scopes, REASONS)).filter(saysMore)
  if (more.length === 0) return { ownTitle, thing, lines, rawText }
  // Without a name, a message with a description is read as a title with a message.
  return thing === ''
    ? { ownTitle: first, thing, lines: more, rawText }
    : { ownTitle, thing, lines: [first, ...more], rawText }
}

/** The title. A field such as `alarm=high` gives none, because it only says how bad the alert is. */
function titleOf(scopes: Scopes): string {
  const label = findLabel(scopes, TITLES)
  const words = /^[a-z]+(?:_[a-z]+)+$/.test(label) ? cleanLine(findEnding(scopes, WORDED, isProse)) : ''
  const title = words || label
  const isState = /^\p{L}+$/u.test(title) && readState(title) !== null
  const isAlarm = isState && title === findLabel(scopes, ['problem', 'alarm', 'alert', 'incident'])
  return isAlarm ? '' : title
}

/** Whether a number stands beside what it is about. */
function isMeasured(scopes: Scopes): boolean {
  const names = ['unit', 'threshold', 'limit', 'metric', 'metricname']
  return scopes.some(scope => names.some(name => scope.has(name)))
}

function isProse(text: string): boolean {
  return PROSE.test(text)
}

/** A title by the ending of its field name, if no field has a common name. */
function titleByEnding(scopes: Scopes): string {
  if (findLabel(scopes, THINGS) !== '') return ''
  const ending = findRaw(scopes, TEXTS) === '' ? TITLE_ENDING : /(?:title|subject)$/
  return cleanLine(findEnding(scopes, ending, text => /\p{L}/u.test(text)))
}

/** A short summary beside a longer description, if nothing else has a name. */
function summaryAsTitle(scopes: Scopes): string {
  const summary = cleanLine(findRaw(scopes, ['summary']))
  const details = findRaw(scopes, ['description', 'details'])
  const isTitle = summary.split(' ').length >= 3 && PROSE.test(details) && !mentions(summary, details)
  return isTitle && findRaw(scopes, ['message', 'text', 'msg', 'body']) === '' ? summary : ''
}

/** The first text that says more than the title; if none does, the first text. */
function messageBeside(title: string, scopes: Scopes): string {
  const isOther = (text: string) => !(saysNoFault(text) && scopes.some(({ size }) => size > 1))
  const named = TEXTS.filter(name => isOther(findRaw(scopes, [name])))
  const first = findRaw(scopes, named).slice(0, ALERT_VALUE_LENGTH_MAX)
  if (first === '') return findEnding(scopes, TEXT_ENDING, text => PROSE.test(text) && isOther(text))
  if (title === '' || !mentions(title, first)) return first
  const others = [...TEXTS, ...REASONS].map(name => findRaw(scopes, [name]))
  return others.find(text => PROSE.test(text) && !mentions(title, text)) ?? first
}

/** The lines without a first one that is the title again. */
function withoutTitle(lines: readonly string[], title: string): readonly string[] {
  return lines.length > 1 && wordsOf(lines[0] ?? '') === wordsOf(title) ? lines.slice(1) : lines
}

/** Of lines that begin with a state in brackets, as a list does, those with a bad one. */
function worstItems(lines: readonly string[]): readonly string[] {
  const stateOf = (line: string): State | null =>
    line.startsWith('[') && readHeadline(line).stated ? readHeadline(line).state : null
  const isList = lines.filter(line => stateOf(line) !== null).length > 1
  const hasBad = lines.some(line => stateOf(line)?.kind === 'bad')
  return isList && hasBad ? lines.filter(line => stateOf(line)?.kind !== 'good') : lines
}

/** The lines below a title without those that only introduce others: `The following disks are affected:` */
function withoutIntroductions(lines: readonly string[]): readonly string[] {
  const isIntroduction = (line: string): boolean =>
    /^[^:\d]{20,200}:$/.test(line) &&
    line.split(' ').length >= INTRODUCTION_WORDS_MIN &&
    !isFaultLine(line) &&
    stateInSentence(line) === null
  const telling = lines.filter((line, at) => at === lines.length - 1 || !isIntroduction(line))
  return telling.length > 0 ? telling : lines
}

/** Moves a line that begins with a state in brackets to the front, before a greeting. */
function stateLineFirst(lines: readonly string[]): readonly string[] {
  const worst = worstItems(lines)
  if (worst.length < lines.length) return worst
  const bare = lines.map(line => line.replace(/^\p{L}{3,12}: ?(?=\[)/u, ''))
  const at = bare.slice(0, 3).findIndex(line => line.startsWith('[') && readHeadline(line).stated)
  return at < 0 ? lines : [bare[at] ?? '', ...lines.filter((_, index) => index !== at)]
}
