import type { Report } from '#domain/alert/compose.ts'
import { otherRank } from '#domain/alert/guess/decide-state.ts'
import { digestPairs } from '#domain/alert/guess/digest-fields.ts'
import { eventPhrase } from '#domain/alert/guess/event-phrase.ts'
import { type Findings, findParts } from '#domain/alert/guess/find-parts.ts'
import { measuredCondition } from '#domain/alert/guess/measured-condition.ts'
import { measuredSoon, orderLines } from '#domain/alert/guess/order-lines.ts'
import { findExit } from '#domain/alert/read/find-exit.ts'
import { fieldKey, findLabel, findRaw, type Scopes } from '#domain/alert/read/find-fields.ts'
import type { Json } from '#domain/alert/read/json-value.ts'
import { cleanLine, mentions } from '#domain/alert/text/clean-text.ts'
import { readSpan, spanBetween } from '#domain/alert/text/time-span.ts'
import {
  CONDITIONS,
  EXITS,
  HOSTS,
  SPAN_BEGINNINGS,
  SPAN_ENDS,
  SPANS,
  SUBJECTS,
  VALUES,
} from '#domain/alert/vocabulary/field-names.ts'
import { chooseState, readState, severityOf } from '#domain/alert/vocabulary/states.ts'

/** `name=value` pairs that are shown after a name: values that are numbers or flags, not descriptions. */
const MEASURED = /=(?:true|false|-?\d[\d.,]* ?[^\d\s]{0,4})$/

/** Names of numbers that say nothing to a reader. */
const DULL = /(?:^|[._])(?:version|partition|matches|count|sequence|attempts?)=/i

/** Flags from which the state was read. */
const ALARM_SET = new RegExp(
  '^(?:is_?\\w{2,12}=(?:true|false|[01])' +
    '|(?:alarm|alert|alarm_?active|triggered)=true|event_?value=\\d|resolved=(?:true|false))$',
  'i',
)
const ACTOR = /(?:user|username|ip|address|account|customer|amount|endpoint)$/i
const SPAN_IN_TEXT = /\b(?:after|in|duration:?) \d/i

/** The report of a body with a title, a message, or a named thing and its state. `null` for any other. */
export function describeGeneric(value: Json, scopes: Scopes): Report | null {
  const found = findParts(scopes)
  const { title, isTitled, lines, state, host } = found
  if (!isTitled && lines.length === 0 && (title.text === '' || state === null)) {
    return title.text === '' ? null : describeCondition(title.text, scopes)
  }
  const worded = rewordLines(found)
  const summary =
    state?.kind === 'good'
      ? worded
      : isTitled
        ? orderLines(worded, title.text)
        : measuredSoon(worded, title.text)
  const reason = summary.length > 0 ? '' : reasonOf(found, scopes)
  if (reason !== '') summary.push(reason)
  const actors = lines.length > 0 || isTitled ? '' : actorsIn(value)
  const span = durationOf(found, scopes)
  const detail = [cleanLine(findRaw(scopes, VALUES)), findExit(scopes)]
  if (summary.length === 0 && found.isThing) {
    const pairs = digestPairs(value, [title.text, host, state?.word ?? ''])
    detail.push(measuredPairs(pairs, span !== '').join(' '))
  }
  const severity = severityOf(chooseState(found.ranks))
  // A plain message already says its state, so no word is put before it.
  const head = {
    format: 'generic' as const,
    state: state ?? found.stateInText,
    saysState: state === null && found.stateInText !== null,
    ...(severity === null ? {} : { severity }),
    lasted: span,
  }
  // A weak state says only that something began. Then the sender's own severity says more.
  const rank = state?.kind === 'weak' && state.word !== 'HIGH' ? otherRank(scopes) : ''
  if (rank !== '') return { ...head, subject: rank, reason: [onHost(found), ...summary], extras: detail }
  if (summary.length === 0 && state !== null)
    return { ...head, subject: onHost(found), reason: [], extras: [...detail, actors] }
  const isQuiet = state === null || state.kind === 'quiet'
  // A sensor says little without the device that it is a part of.
  const device = found.isThing ? findLabel(scopes, ['device']) : ''
  const places = isQuiet ? [device] : [findLabel(scopes, SUBJECTS), host]
  return { ...head, subject: title.text, reason: summary, extras: [...detail, ...places, actors] }
}

/** The pairs with a number or a flag, without the duration if the text already has it (`hasSpan`). */
function measuredPairs(pairs: readonly string[], hasSpan: boolean): readonly string[] {
  // An exit status is told as `exit 2`.
  const told = [...(hasSpan ? SPANS : []), ...EXITS]
  const isTold = (pair: string): boolean => told.includes(fieldKey(pair.replace(/=.*$/, '')))
  return pairs.filter(
    pair => MEASURED.test(pair) && !ALARM_SET.test(pair) && !DULL.test(pair) && !isTold(pair),
  )
}

/** The users, addresses or amounts of an event that has no message. */
function actorsIn(value: Json): string {
  const pairs = digestPairs(value, ['']).filter(pair => ACTOR.test(pair.replace(/=.*$/, '')))
  return pairs.slice(0, 3).join(' ')
}

/** A thing and its condition, if the condition is not a state word: "Kitchen smoke: on". */
function describeCondition(thing: string, scopes: Scopes): Report | null {
  const condition = cleanLine(findRaw(scopes, CONDITIONS))
  if (!/^\p{L}[\p{L} _-]{0,19}$/u.test(condition)) return null
  return {
    format: 'generic',
    state: null,
    subject: thing,
    reason: condition,
    extras: [findLabel(scopes, HOSTS)],
  }
}

/** The reason if no text gives one: what was measured, or the name of the event. */
function reasonOf({ state, isThing }: Findings, scopes: Scopes): string {
  if (state === null || state.kind === 'good') return ''
  return measuredCondition(scopes) || (isThing ? eventPhrase(scopes, state) : '')
}

function onHost({ title, host }: Findings): string {
  return host === '' || mentions(title.text, host) ? title.text : `${title.text} on ${host}`
}

/** How long a problem lasted that is over: milliseconds or the sender's words. Empty if a text says it. */
function durationOf({ title, lines, lead, state }: Findings, scopes: Scopes): number | string {
  if (state?.kind !== 'good' || [title.text, ...lines].some(text => SPAN_IN_TEXT.test(text))) return ''
  const given = title.span || lead.span || readSpan(cleanLine(findRaw(scopes, SPANS)))
  return given || spanBetween(findRaw(scopes, SPAN_BEGINNINGS), findRaw(scopes, SPAN_ENDS))
}

/** The lines of the message, without words that the title and the state already say. */
function rewordLines({ title, lines, lead, state }: Findings): string[] {
  if (lines.length === 0) return []
  const first = lead.stated ? lead.text : (lines[0] ?? '')
  const more = lines.slice(1)
  // After "DOWN nas", the line "nas down" says nothing new.
  const [, thing = first, end = ''] = /^(.+) ([a-z]+)[.!]*$/i.exec(first) ?? []
  if (state !== null && thing === title.text && readState(end)?.word === state.word) return more
  const reason = state === null ? first : shortenReason(first, state.word)
  return [reason, ...more]
    .filter(line => state?.kind !== 'good' || !/^severity: /i.test(line))
    .map(line => line.replace(/^- /, ''))
}

/** After CRITICAL, "nas disk is critical, 96 % used" becomes "nas disk: 96 % used". */
function shortenReason(line: string, word: string): string {
  const middle = / is ([a-z]{2,12}), (?=\S)/i.exec(line)
  if (middle === null || readState(middle[1] ?? '')?.word !== word) return line
  return `${line.slice(0, middle.index)}: ${line.slice(middle.index + middle[0].length)}`
}
