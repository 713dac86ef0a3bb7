import type { Report } from '#domain/alert/compose.ts'
import {
  decideState,
  errorState,
  type FieldStates,
  fieldStates,
  otherRank,
} from '#domain/alert/guess/decide-state.ts'
import { digestPairs } from '#domain/alert/guess/digest-fields.ts'
import { eventPhrase } from '#domain/alert/guess/event-phrase.ts'
import { measuredCondition } from '#domain/alert/guess/measured-condition.ts'
import { readTexts } from '#domain/alert/guess/read-texts.ts'
import { findLabel, findRaw, keyOf, type Scopes } from '#domain/alert/read/find-fields.ts'
import type { Json } from '#domain/alert/read/json-value.ts'
import { cleanLine, says } from '#domain/alert/text/clean-text.ts'
import { type Headline, readHeadline, stateShown } from '#domain/alert/text/headline.ts'
import { readSpan, spanBetween } from '#domain/alert/text/time-span.ts'
import {
  CONDITIONS,
  HOSTS,
  SERVERS,
  SPAN_BEGINNINGS,
  SPAN_ENDS,
  SPANS,
  SUBJECTS,
  TITLES,
  VALUES,
} from '#domain/alert/vocabulary/field-names.ts'
import { chooseState, readState, type State, severityOf } from '#domain/alert/vocabulary/states.ts'

/** A pair with a number or a flag: worth showing after a name. Other words mostly describe the thing. */
const MEASURED = /=(?:true|false|-?\d[\d.,]* ?[^\d\s]{0,4})$/

/** Flags from which the state was read. */
const ALARM_SET =
  /^(?:(?:alarm|alert|alarm_?active|triggered)=true|event_?value=\d|resolved=(?:true|false))$/i
const ACTOR = /(?:user|username|ip|address|account|customer|amount|endpoint)$/i
const SPAN_SAID = /\b(?:after|in|duration:?) \d/i

/** What was found in a body, before the parts of the report are chosen. */
interface Findings {
  readonly title: Headline
  /** Whether the title is a sentence or the alert's own name, rather than the name of a thing. */
  readonly isTitled: boolean
  /** Whether the only title is the name of a thing. */
  readonly isThing: boolean
  readonly lines: readonly string[]
  readonly lead: Headline
  readonly state: State | null
  readonly host: string
  /** How bad it is, according to the sender's fields. */
  readonly ranks: readonly State[]
  /** The state in a plain message of one line, which is sent unchanged. */
  readonly told: State | null
}

/** The report of a title, a message, or a thing with a state. `null` if the body has none of these. */
export function describeGeneric(value: Json, scopes: Scopes): Report | null {
  const found = find(scopes)
  const { title, isTitled, lines, state, host } = found
  if (!isTitled && lines.length === 0 && (title.text === '' || state === null)) {
    return title.text === '' ? null : describeCondition(title.text, scopes)
  }
  const summary = rewordLines(found)
  if (summary.length === 0) summary.push(...[reasonOf(found, scopes)].filter(text => text !== ''))
  const actors = eventPhrase(scopes, state) === '' || lines.length > 0 || isTitled ? '' : actorsIn(value)
  const span = lasted(found, scopes)
  const hasLasted = typeof span === 'number' ? span > 0 : span !== ''
  const detail = [cleanLine(findRaw(scopes, VALUES)).replace(/[()]/g, '')]
  if (summary.length === 0 && found.isThing) {
    const pairs = digestPairs(value, [title.text, host, state?.word ?? ''])
    detail.push(
      pairs
        .filter(
          pair =>
            MEASURED.test(pair) &&
            !ALARM_SET.test(pair) &&
            !(hasLasted && SPANS.includes(keyOf(pair.replace(/=.*$/, '')))) &&
            !says(detail.join(' '), pair.replace(/^[^=]*=/, '')),
        )
        .join(' '),
    )
  }
  const severity = severityOf(chooseState(found.ranks)) ?? severityOf(readState(otherRank(scopes)))
  const head = {
    format: 'generic' as const,
    state: state ?? (found.told === null ? null : { ...found.told, word: '' }),
    ...(severity === null ? {} : { severity }),
    lasted: span,
  }
  const rank = state?.kind === 'weak' && state.word !== 'HIGH' ? otherRank(scopes) : ''
  if (rank !== '') return { ...head, subject: rank, reason: [onHost(found), ...summary], extras: detail }
  const isBare = summary.length === 0 && state !== null
  const places = isBare
    ? []
    : state === null || state.kind === 'quiet'
      ? [findLabel(scopes, SERVERS)]
      : [findLabel(scopes, SUBJECTS), host]
  const subject = isBare ? onHost(found) : title.text
  return { ...head, subject, reason: summary, extras: [...detail, ...places, actors] }
}

/** The users, addresses or amounts of an event that has no message. */
function actorsIn(value: Json): string {
  const pairs = digestPairs(value, ['']).filter(pair => ACTOR.test(pair.replace(/=.*$/, '')))
  return pairs.slice(0, 3).join(' ')
}

/** A thing and its condition, where that is no state word: "Kitchen smoke: on". */
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
function reasonOf({ state, isThing, title }: Findings, scopes: Scopes): string {
  if (state === null || state.kind === 'good') return ''
  const phrase = isThing ? eventPhrase(scopes, state) : ''
  return measuredCondition(scopes) || (says(phrase, title.text) ? '' : phrase)
}

function find(scopes: Scopes): Findings {
  const host = findLabel(scopes, HOSTS)
  const fields = fieldStates(scopes)
  const texts = readTexts(scopes)
  const { strong, thing, lines, textRaw } = texts
  const phrase = strong || thing ? '' : phraseAsName(fields, scopes)
  const name = strong || thing || phrase || (fields.status.length > 0 ? host : '')
  const title = readHeadline(name)
  const lead = readHeadline(lines[0] ?? '')
  // Three words or more name an alarm ("Person at door"); fewer only say where ("garage").
  const isTitled = strong !== '' || thing.split(' ').length >= 3
  const found = {
    title,
    isTitled,
    isThing: strong === '' && phrase === '' && name !== '',
    lines,
    host,
    ranks: fields.rank,
  }
  const raw = [strong === '' ? thing : findRaw(scopes, TITLES), textRaw]
  const isBare = fields.status.length + fields.rank.length === 0 && errorState(scopes) === null
  const alone = name === '' ? lead : title
  const isAlone = lines.length === (name === '' ? 1 : 0) && !(name !== '' && title.state?.kind === 'test')
  if (isBare && isAlone && isVerbatim(raw.join(''), alone)) {
    return {
      ...found,
      title: verbatim(title, name),
      lead: verbatim(lead, lead.text),
      state: null,
      told: decideState(fields, [title, lead], raw),
    }
  }
  return { ...found, told: null, lead, state: decideState(fields, [title, lead], raw) ?? errorState(scopes) }
}

/** The name of the event without its state, used as a title if there is no other. */
function phraseAsName(fields: FieldStates, scopes: Scopes): string {
  const state = chooseState(fields.status)
  if (state === null || state.kind === 'test') return ''
  const phrase = eventPhrase(scopes, state)
  const end = phrase.slice(phrase.lastIndexOf(' ') + 1)
  return phrase !== '' && readState(end)?.word === state.word ? phrase.slice(0, -end.length - 1) : phrase
}

/** Whether there is one plain line, as a person or a script writes it. It is sent unchanged. */
function isVerbatim(raw: string, headline: Headline): boolean {
  return !raw.trim().includes('\n') && !(headline.stated && raw.startsWith('[')) && stateShown(raw) === null
}

function verbatim(headline: Headline, text: string): Headline {
  return { ...headline, state: null, stated: false, text }
}

function onHost({ title, host }: Findings): string {
  return host === '' || title.text === '' || says(title.text, host) ? title.text : `${title.text} on ${host}`
}

/** How long it lasted, or empty if a text already says it. */
function lasted({ title, lines, lead, state }: Findings, scopes: Scopes): number | string {
  if (state?.kind !== 'good' || [title.text, ...lines].some(text => SPAN_SAID.test(text))) return ''
  const given = title.span || lead.span || readSpan(cleanLine(findRaw(scopes, SPANS)))
  return given || spanBetween(findRaw(scopes, SPAN_BEGINNINGS), findRaw(scopes, SPAN_ENDS))
}

/** The lines of the message without what the name and the state already say. */
function rewordLines({ title, lines, lead, state }: Findings): string[] {
  if (lines.length === 0) return []
  const first = lead.stated ? lead.text : (lines[0] ?? '')
  const [, thing = first, end = ''] = /^(.+) ([a-z]+)[.!]*$/i.exec(first) ?? []
  if (state !== null && thing === title.text && readState(end)?.word === state.word) return lines.slice(1)
  return [state === null ? first : tellReason(first, state.word), ...lines.slice(1)].map(line =>
    line.replace(/^- /, ''),
  )
}

/** After CRITICAL, "nas disk is critical, 96 % used" becomes "nas disk: 96 % used". */
function tellReason(line: string, word: string): string {
  const middle = / is ([a-z]{2,12}), (?=\S)/i.exec(line)
  if (middle === null || readState(middle[1] ?? '')?.word !== word) return line
  return `${line.slice(0, middle.index)}: ${line.slice(middle.index + middle[0].length)}`
}
