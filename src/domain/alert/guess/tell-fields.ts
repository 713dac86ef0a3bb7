import type { Report } from '#domain/alert/compose.ts'
import type { Roles } from '#domain/alert/guess/assign-roles.ts'
import { shortNumber } from '#domain/alert/guess/measured-condition.ts'
import {
  eventWords,
  isEventName,
  isLater,
  isTelling,
  nameOf,
  namesOfThings,
} from '#domain/alert/guess/name-fields.ts'
import { stateOfFlag, stateOfRoles } from '#domain/alert/guess/role-state.ts'
import { BAD } from '#domain/alert/read/evidence-words.ts'
import type { ListedField } from '#domain/alert/read/list-fields.ts'
import { cleanLine, mentions } from '#domain/alert/text/clean-text.ts'
import { readState, tokensOf } from '#domain/alert/vocabulary/states.ts'

/** A body with fewer fields is short enough as a list of its fields. */
const FIELDS_MIN = 6
/** Longer than any text that is told. */
const VALUE_LENGTH_MAX = 400
const SENTENCE_WORDS = 4
const MEASURES_MAX = 4
const FACTS_MAX = 2
/** Words of names of fields with what was measured. */
const MEASURED: ReadonlySet<string> = new Set(
  (
    'value temperature temp humidity pressure level voltage battery weight speed reading threshold limit ' +
    'current percent usage load co pm distance flow power score amount total'
  ).split(' '),
)
/** Last words of names of facts that say nothing: kinds, counters and identifiers. */
const DULL_NAME = /^(?:type|count|cnt|number|ids?|enum|mod)$/
/** The rank of facts that no reader misses. */
const DULL_RANK = 9
/** Beside a sentence, only what was measured and who did it are told. */
const REASONED_RANK = 2
/** Names of fields that say why in a few words. */
const REASON = /(?:description|reason|cause|message|msg|detail|title|summary|error_?text)$/i
const LIMIT = /^(?:threshold|limit)$/

/**
 * The report of a body whose fields have no common names: a thing, what happened, and what was measured.
 * `null` for a body with neither a thing nor a sentence, and for a short one.
 */
export function tellFields(all: readonly ListedField[], roles: Roles): Report | null {
  const fields = all
    .filter(field => !isLater(field))
    .map(field => ({ ...field, value: field.value.slice(0, VALUE_LENGTH_MAX) }))
  const [thing = '', place = ''] = namesOfThings(fields)
  const telling = fields.filter(isTelling)
  const isTold = (field: ListedField) => isSentence(field.value) || isReason(field)
  const sentences = telling.filter(isTold).map(({ value }) => cleanLine(value))
  // A device that is online may have sent an event about something else.
  const found = stateOfRoles(roles)
  const flags = fields.flatMap(({ keys, value }) => stateOfFlag(keys.at(-1) ?? '', value) ?? [])
  const isAll = sentences.every(text => text === thing) && !fields.some(isEventName)
  const flag = flags.find(({ kind }) => kind === 'bad' || isAll)
  const state = (found?.kind === 'good' ? null : found) ?? flag ?? null
  const phrase = fields.find(field => isEventPhrase(field))?.value ?? ''
  const isShort = fields.length < FIELDS_MIN && state?.kind !== 'bad' && phrase === ''
  if (sentences.length === 0 && (isShort || thing === '')) return null
  const facts = telling.filter(
    ({ keys, value }) =>
      stateOfFlag(keys.at(-1) ?? '', value) === null &&
      ![thing, place, cleanLine(phrase)].includes(cleanLine(value)) &&
      !isSentence(value) &&
      !sentences.includes(cleanLine(value)) &&
      readState(value) === null,
  )
  const told = [thing, ...sentences].join(' ')
  const words = eventWords(fields, told)
  const isPhrase = words.includes(' ')
  const event = isPhrase
    ? words
    : eventWords(fields, `${told} ${facts.filter(isMeasure).map(tellFact).join(' ')}`)
  const isReasoned = sentences.some(text => text !== thing && text !== place)
  const isEnd = [found, readState(event.split(' ').at(-1) ?? '')].some(one => one?.kind === 'good')
  const measures = isEnd ? [] : tellFacts(facts, isReasoned ? REASONED_RANK : DULL_RANK)
  return {
    format: 'digest',
    state,
    subject: thing || event,
    reason: [
      ...(thing === '' ? [] : [event]),
      cleanLine(phrase),
      ...sentences.slice(0, 2),
      measures.slice(0, MEASURES_MAX).join(', '),
    ],
    extras: [place, ...measures.slice(MEASURES_MAX)].filter(text => text !== '' && !mentions(event, text)),
  }
}

/** Adds to a text that is only a name who did it and what was measured. */
export function withFacts(report: Report, fields: readonly ListedField[]): Report {
  const { subject, reason, state, extras = [] } = report
  const text = [subject, ...[reason].flat()].join(' ').trim()
  const isShort = subject === '' ? text.split(' ').length < SENTENCE_WORDS : text === subject
  const isBare = text !== '' && state === null && isShort
  // A state and a word such as `job` say nothing without what the fields tell.
  const isNameless =
    state?.kind === 'bad' &&
    /^[a-z]+$/.test(text) &&
    extras.join('') === '' &&
    namesOfThings(fields).length === 0 &&
    fields.some(field => isEventName(field) && tokensOf(field.value).includes(text))
  if ((!isBare && !isNameless) || fields.length < FIELDS_MIN) return report
  const told = [text, ...extras].join(' ')
  const facts = tellFacts(
    fields.filter(
      field =>
        !mentions(told, cleanLine(field.value)) &&
        (isNameless ? readState(field.value) === null : isMeasure(field) || isActor(field)) &&
        isTelling(field) &&
        !isLater(field),
    ),
  )
  return {
    ...report,
    extras: [...extras, ...facts.filter(fact => !mentions(told, fact)).slice(0, FACTS_MAX)],
  }
}

/** Who did it first, then what was measured, then other words. Each value once. */
function tellFacts(fields: readonly ListedField[], below = DULL_RANK): readonly string[] {
  const values = new Set<string>()
  const fresh = fields.filter(({ value }) => !values.has(value) && values.add(value))
  const ranked = fresh.map(field => ({ field, rank: rankOf(field) })).filter(({ rank }) => rank < below)
  return ranked.sort((one, other) => one.rank - other.rank).map(({ field }) => tellFact(field))
}

/** How much a fact says, the most telling first. */
function rankOf(field: ListedField): number {
  const name = nameOf(field)
  if (isActor(field) || (field.value !== '0' && name.some(token => BAD.has(token)))) return 0
  if (name.some(token => MEASURED.has(token))) return 1
  if (
    (DULL_NAME.test(name.at(-1) ?? '') || isEventName(field)) &&
    !/^(?:job|task) type$/.test(name.join(' '))
  )
    return DULL_RANK
  return isMeasure(field) ? 2 : field.value === 'true' ? 4 : 3
}

/** Names of fields that say who did it, or with what. */
const ACTOR = new RegExp(
  '^(?:.* )?(?:source ?ip|src ?(?:ip|host)|remote ip|user ?name|caller|attacker ip' +
    '|(?:malware|threat|virus) name)$',
)

/** Whether a field says in a few words what happened: `fault: Grid lost`. */
function isEventPhrase(field: ListedField): boolean {
  return (
    /(?:event|fault|alarm|problem|issue|cause|trigger)$/i.test(field.keys.at(-1) ?? '') &&
    /^\p{L}{2}[^\s_]* \p{L}/u.test(field.value) &&
    !isSentence(field.value) &&
    isTelling(field)
  )
}

function isActor(field: ListedField): boolean {
  return ACTOR.test(nameOf(field).join(' '))
}

function isReason({ keys, value }: ListedField): boolean {
  return (
    REASON.test(keys.at(-1) ?? '') && /^(?=.*\p{L}{3})\S+ \S/u.test(value) && value.length < VALUE_LENGTH_MAX
  )
}

function isSentence(text: string): boolean {
  return text.split(/\s+/).length >= SENTENCE_WORDS && /\p{L}{3}/u.test(text)
}

function isMeasure({ value }: ListedField): boolean {
  return /^-?\d+(?:\.\d+)?(?: ?[^\s\d]{1,4})?$/.test(value.trim())
}

function tellFact(field: ListedField): string {
  const tokens = nameOf(field).filter(token => token !== 'value' && token !== 'data')
  const name = LIMIT.test(tokens.at(-1) ?? '') ? 'limit' : tokens.slice(-2).join(' ')
  return `${name} ${shortNumber(cleanLine(field.value))}`.trim()
}
