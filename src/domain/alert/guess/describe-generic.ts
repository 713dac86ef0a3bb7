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

/** Numbers and flags say something beside the name of a thing; other words mostly describe it. */
const MEASURED = /=(?:true|false|-?\d[\d.,]* ?[^\d\s]{0,4})$/

/** Flags that became the state. */
const ALARM_SET =
  /^(?:(?:alarm|alert|alarm_?active|triggered)=true|event_?value=\d|resolved=(?:true|false))$/i
const ACTOR = /(?:user|username|ip|address|account|customer|amount|endpoint)$/i
const SPAN_SAID = /\b(?:after|in|duration:?) \d/i

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
  /** How bad the sender's fields hold it to be. */
  readonly ranks: readonly State[]
  /** What somebody's own words tell, which go out as they are. */
  readonly told: State | null
}

/** A title, a message, or a thing with a state: what most senders have. `null` when none of it is there. */
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

/** Who or what an event without words is about. */
function actorsIn(value: Json): string {
  const pairs = digestPairs(value, ['']).filter(pair => ACTOR.test(pair.replace(/=.*$/, '')))
  return pairs.slice(0, 3).join(' ')
}

/** A thing with a condition in a word that is no state: "Kitchen smoke: on". */
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

/** What was measured or what the event is called, where nobody says why. */
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
  // "Person at door" is the name of an alarm; "garage" only says where.
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

/** An event's own name, without its state, where nothing else is named. */
function phraseAsName(fields: FieldStates, scopes: Scopes): string {
  const state = chooseState(fields.status)
  if (state === null || state.kind === 'test') return ''
  const phrase = eventPhrase(scopes, state)
  const end = phrase.slice(phrase.lastIndexOf(' ') + 1)
  return phrase !== '' && readState(end)?.word === state.word ? phrase.slice(0, -end.length - 1) : phrase
}

/** One plain line and nothing else, be it title or message: somebody's own words, sent as they are. */
function isVerbatim(raw: string, headline: Headline): boolean {
  return !raw.trim().includes('\n') && !(headline.stated && raw.startsWith('[')) && stateShown(raw) === null
}

function verbatim(headline: Headline, text: string): Headline {
  return { ...headline, state: null, stated: false, text }
}

function onHost({ title, host }: Findings): string {
  return host === '' || title.text === '' || says(title.text, host) ? title.text : `${title.text} on ${host}`
}

/** How long it lasted, unless a text says it already. */
function lasted({ title, lines, lead, state }: Findings, scopes: Scopes): number | string {
  if (state?.kind !== 'good' || [title.text, ...lines].some(text => SPAN_SAID.test(text))) return ''
  const given = title.span || lead.span || readSpan(cleanLine(findRaw(scopes, SPANS)))
  return given || spanBetween(findRaw(scopes, SPAN_BEGINNINGS), findRaw(scopes, SPAN_ENDS))
}

/** The message's lines without what name and state already say. */
function rewordLines({ title, lines, lead, state }: Findings): string[] {
  if (lines.length === 0) return []
  const first = lead.stated ? lead.text : (lines[0] ?? '')
  const [, thing = first, end = ''] = /^(.+) ([a-z]+)[.!]*$/i.exec(first) ?? []
  if (state !== null && thing === title.text && readState(end)?.word === state.word) return lines.slice(1)
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
