import type { Report } from '#domain/alert/compose.ts'
import { type RankedFact, rankFacts } from '#domain/alert/facts/rank-facts.ts'
import { SECRET_VALUE } from '#domain/alert/guess/digest-fields.ts'
import { shortNumber } from '#domain/alert/guess/measured-condition.ts'
import {
  isEventName,
  isOfPerson,
  isTelling,
  namesOfThings,
  namesThing,
} from '#domain/alert/guess/name-fields.ts'
import { stateOfField } from '#domain/alert/guess/role-state.ts'
import type { ListedField } from '#domain/alert/read/list-fields.ts'
import { wordsOf } from '#domain/alert/text/clean-text.ts'
import { readHeadline } from '#domain/alert/text/headline.ts'
import { type State, tokensOf } from '#domain/alert/vocabulary/states.ts'

/** How probable a fact must be for a text that says enough, and for one that says little. */
const LEAST = { guessed: 0.3, thin: 0.15 }
/** A line of a text is added to a text that says enough only if it is as good as sure. */
const LINE_LEAST = 0.6
/** A sentence or an event that becomes the reason of a text without one. */
const REASON_LEAST = 0.12
/** How many facts are added to a text that says enough, and to one that says little. */
const MOST = { guessed: 3, thin: 6 }
/** A fact of which more of the words are known says nothing new. */
const NEW_SHARE = 0.55
/** How many facts are the reason of a text that has neither a sentence nor an event. */
const MUTE_MAX = 4
/** The share of the rank as a thing that counts where the name only says where. */
const THING_SHARE = 0.7
/** A state in the sender's own words is worth telling. */
const STATE_NAME = /^(?:state|status|zustand)$/
const STATE_TOLD = 0.35
const HEAD_LENGTH_MAX = 90
const REASON_WORDS = 3
/** A number with or without a unit, which says nothing without its name. */
const NUMBER = /^[+-]?[\d.,]+\s?[^\s\d]{0,3}$/
/** Words of the name of a number that say nothing beside the others. */
const VALUE_WORD = /^(?:value|val|current|cur|observed|data)$/
/** Words of names of fields with what was measured. */
const MEASURED: ReadonlySet<string> = new Set(
  (
    'temperature temp humidity pressure level voltage battery weight speed reading threshold limit ' +
    'current percent usage load charge pm distance flow power score amount total runtime'
  ).split(' '),
)
/** Words that the state of a text says. */
const STATE_WORDS: ReadonlySet<string> = new Set(
  (
    'critical warning warn ok down up error failed firing resolved alert problem info notice recovered ' +
    'alarm success triggered failure high low open closed fatal'
  ).split(' '),
)
/** Words that any name of an event may have. */
const EVENT_WORDS: ReadonlySet<string> = new Set(
  (
    'alert alerts alarm alarms event events notification incident webhook message trigger status update ' +
    'updated changed change type data created report info test state sensor device item monitor check'
  ).split(' '),
)
/** Values that say nothing to a person. */
const DULL = new RegExp(
  '^(?:default|utilization|search|https?|json|web|main|master|labels|true|false|null|n/a|none|unknown' +
    '|success(?:ful)?|pass|ok|online|active|normal|eligible|utf-8|alerts?|(?:[a-z]{2}-)+[a-z]+-\\d)$',
  'i',
)
const GREETING = /^(?:hello|hi|dear|hallo|bonjour|guten tag|sehr geehrte|liebe|regards|mit freundlichen)\b/i
/** A text that begins with the tag of a state may be about another thing of the body. */
const TAGGED = /^\[[A-Z]{2,12}(?::\d+)?\]/
/** A value that is itself a list of fields, or a code. */
const RAW = /^[{[]\s*["{]|^\S{1,40}=\S*$|^\S{1,40}=.*\s\S{1,40}=|^(?=[a-z\d]{6,}$)\S*[a-z]\d+[a-z]/
/** Words of names of fields of accounts and people. */
const PERSONAL: ReadonlySet<string> = new Set(
  (
    'agent assignee user sender owner creator author committer escalation team org organization ' +
    'organisation account responder member customer requester contact client icon culprit pusher ' +
    'operator billing shipping tenant email mail username first last given family surname employee ' +
    'guest driver patient holder buyer seller by from person opened closed triggered phone tel telefon ' +
    'mobile fax address street strasse adresse city zip postal tax birth vorname nachname kunde cliente ' +
    'nombre'
  ).split(' '),
)
/** A value with an address of mail, a link, a day, or a telephone number. */
const PRIVATE = new RegExp(
  '\\S@\\S+\\.\\S|:\\/\\/|\\d{4}-\\d\\d-\\d\\d|\\d\\d?[./]\\d\\d?[./]\\d{2,4}' +
    '|^[+(]?\\d[\\d ()\\/-]{7,}$|^\\+\\d{6,15}$' +
    '|^(?=\\S*\\d)(?=\\S*[A-Z])[A-Z\\d]{10,}$',
)
/** Fields with the number of a state. */
const NUMBERED = /^(?:state|status|level|severity|priority|code|type|id)$/

/** The report of a body that nothing else could read: its most probable thing. */
export function headReport(fields: readonly ListedField[], state: State | null): Report | null {
  const facts = rankFacts(fields)
  const telling = facts.filter(mayTell)
  const named = telling.filter(
    ({ value, kind, field }) =>
      /\p{L}{2}/u.test(value) && (kind === 'text' || namesThing(field.value.trim())),
  )
  const [thing] = namesOfThings(fields)
  const [best] = named
    .filter(({ name }) => !/^(?:type|kind|service|version|category)$/.test(name.at(-1) ?? ''))
    .toSorted((one, other) => other.thing - one.thing)
  const head = telling.find(({ value }) => value === thing) ?? best
  const first = head ?? telling[0] ?? facts.find(fact => eventOf(fact) !== '')
  if (first === undefined) return null
  const title = readHeadline(first.value)
  const subject = (title.text || first.value).slice(0, HEAD_LENGTH_MAX)
  return { format: 'digest', state: state ?? title.state, subject, reason: [] }
}

/** Adds to a report what the body says beside it, as much as fits into its text. Repeats nothing. */
export function fillFacts(report: Report, fields: readonly ListedField[]): Report {
  const { subject, place = '', extras = [], state, saysState = false } = report
  const reasons = [report.reason].flat().filter(line => line !== '')
  const have = new Set(newWords([subject, ...reasons, place, ...extras].join(' ')))
  const isThin = subject === '' || reasons.length === 0
  const kind = isThin ? 'thin' : 'guessed'
  const found = rankFacts(fields)
    .flatMap(fact => (fact.isLater ? [] : sayFact(fact)))
    .toSorted((one, other) => other.told - one.told)
  const take = (text: string): boolean => {
    const isTaken = isNew(text, have)
    if (isTaken) for (const word of newWords(text)) have.add(word)
    return isTaken
  }
  const isBare = reasons.length === 0 && !saysState && state?.kind !== 'good'
  const reason = isBare
    ? found.find(
        ({ text, told, isEvent }) => told >= REASON_LEAST && (isEvent || isSentence(text)) && take(text),
      )
    : undefined
  const isMute = isBare && reason === undefined
  const added: string[] = []
  for (const { text, told, isLine, isMeasured } of found) {
    if (added.length >= MOST[kind]) break
    const least = isMute && isMeasured ? 0 : isLine && !isThin ? LINE_LEAST : LEAST[kind]
    if (told >= least && take(text)) added.push(text)
  }
  const told = isMute ? added.splice(0, MUTE_MAX).join(', ') : reason?.text
  return { ...report, reason: told === undefined ? report.reason : [told], extras: [...extras, ...added] }
}

interface Saying {
  readonly text: string
  readonly told: number
  readonly isEvent: boolean
  readonly isLine: boolean
  readonly isMeasured: boolean
}

/** A fact in the words of a text. None: it may not be told. */
function sayFact(fact: RankedFact): readonly Saying[] {
  const { kind } = fact
  // The name of a thing that is not yet told says where.
  const isOwnState = STATE_NAME.test(fact.name.at(-1) ?? '') && /^\p{L}[\p{L} _-]+$/u.test(fact.value)
  const told = Math.max(fact.told, fact.thing * THING_SHARE, isOwnState ? STATE_TOLD : 0)
  const event = eventOf(fact)
  if (event !== '')
    return [
      { text: event, told: Math.max(told, REASON_LEAST), isEvent: true, isLine: false, isMeasured: false },
    ]
  if (!mayTell(fact)) return []
  const isMeasured = NUMBER.test(fact.value) && fact.name.some(word => MEASURED.has(word))
  return [{ text: tellFact(fact), told, isEvent: false, isLine: kind === 'text', isMeasured }]
}

function isSentence(text: string): boolean {
  return text.split(' ').length >= REASON_WORDS && /\p{L}{3}/u.test(text)
}

/** Whether a fact may be told: it is no state, no person, and nothing that only programs use. */
function mayTell({ field, value, kind, name, above }: RankedFact): boolean {
  if (
    RAW.test(value) ||
    GREETING.test(value) ||
    DULL.test(value) ||
    TAGGED.test(value) ||
    value.endsWith(':')
  )
    return false
  if (PRIVATE.test(value) || SECRET_VALUE.test(value)) return false
  if (kind === 'text') return true
  if (isOfPerson(field) || [...name, ...above].some(isPersonal)) return false
  if (stateOfField(value) !== null && !/\S[ _]\S/.test(value)) return false
  if (!NUMBER.test(value) && newWords(value).length === 0) return false
  // The number of a state says nothing, nor that a request was answered.
  if (/^\d+$/.test(value) && (/^20\d$/.test(value) || NUMBERED.test(name.at(-1) ?? ''))) return false
  return isTelling({ ...field, value })
}

/** Whether a word of a name is about a person: `users` as well as `user`. */
function isPersonal(word: string): boolean {
  return PERSONAL.has(word) || PERSONAL.has(word.replace(/s$/, ''))
}

function tellFact({ name, value, kind }: RankedFact): string {
  if (kind === 'text' || !NUMBER.test(value) || name.length === 0)
    return kind === 'text' ? readHeadline(value).text || value : value.replace(/\.$/, '')
  return [...name.filter(word => !VALUE_WORD.test(word)).slice(-2), shortNumber(value)].join(' ')
}

/** The name of an event in words: `door forced open`. Empty: the fact is none. */
function eventOf({ field, value, kind }: RankedFact): string {
  const isEvent = kind !== 'text' && isEventName(field) && /^[A-Za-z][\w.:/-]{1,58}$/.test(value)
  const tokens = isEvent ? tokensOf(value.replace(/^(?:com|org|net|io|dev)\.[\w-]+\.(?=\w)/i, '')) : []
  const isNamed = tokens.some(token => token.length > 2 && !EVENT_WORDS.has(token) && !STATE_WORDS.has(token))
  return tokens.length > 1 && isNamed ? tokens.join(' ') : ''
}

/** The words of a text that say something beside its state. */
function newWords(text: string): readonly string[] {
  const words = wordsOf(text).trim().split(' ')
  return words.filter(word => (word.length > 1 || /\d/.test(word)) && !STATE_WORDS.has(word))
}

/** Whether most words of a text are new. */
function isNew(text: string, have: ReadonlySet<string>): boolean {
  const words = newWords(text)
  return words.filter(word => !have.has(word)).length > words.length * NEW_SHARE
}
