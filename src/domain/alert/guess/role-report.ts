import type { Report } from '#domain/alert/compose.ts'
import type { Candidate, Roles } from '#domain/alert/guess/assign-roles.ts'
import {
  commonName,
  eventWords,
  isEventName,
  isLater,
  isTelling,
  nameOf,
  namesOfThings,
} from '#domain/alert/guess/name-fields.ts'
import { stateOfField, stateOfRoles } from '#domain/alert/guess/role-state.ts'
import { withFacts } from '#domain/alert/guess/tell-fields.ts'
import { fieldKey } from '#domain/alert/read/find-fields.ts'
import type { ListedField } from '#domain/alert/read/list-fields.ts'
import { cleanLine, linesOf, mentions } from '#domain/alert/text/clean-text.ts'
import { readHeadline } from '#domain/alert/text/headline.ts'
import { TEXTS } from '#domain/alert/vocabulary/field-names.ts'
import { readState, type State, severityOf, tokensOf } from '#domain/alert/vocabulary/states.ts'

const REASONS_MAX = 4
/** A field that is added to a text needs this probability. */
const SURE = 0.6
const SURE_STATE = 0.7
const SURE_THING = 0.8
const SHORT_WORDS = 2
/** The number of an order. */
const ORDER = /^(?=.*\d)[#A-Z\d][A-Z\d/-]{3,39}$/
const CAUSE = /^(?:(?:failure|error|decline) )?(?:reason|cause)$/
const TICKET = /^[A-Z][A-Z\d]{1,9}-\d{1,7}$/
/** The machine that a part belongs to. */
const HOST = /^(?:host|host ?name|fqdn|(?:server|computer|machine|installation)(?: name)?)$/
/** An event about one of these is about it, whoever did it. */
const DEAL = /payment|order|invoice|subscription|transaction|charge|transfer/
/** Names that say where rather than what. */
const WEAK = /^(?:zone|category|label|image|region|project|workspace|policy name|deployment name)$/
/** Words in the name of an event that say nothing about it. */
const DULL_ACTION = /^(?:email|message|policy|rule|condition|violation|alert|alarm|incident|event|status)$/
/** The name of an event: `tunnel-down`. */
const ACTION = /^[a-z]+(?:[_.-][a-z]+){1,3}$/i
const TELLING: ReadonlySet<string> = new Set(['bad', 'weak', 'other'])
/** Longer values are logs. */
const SENTENCE_LENGTH_MAX = 600
/** Names of fields that say why a run failed, and why a monitor is down. */
export const RUN_REASON = /^(?:error|failure|fail|status)?_?(?:reason|cause|message|output)$/i
export const REASON_NAME = new RegExp(
  '(?:error|reason|cause|failure|message|msg|detail|diagnostic)s?[_ ]?' +
    '(?:message|description|text|details?|summary)?$',
  'i',
)
/** Names of fields that may say why. */
const WHY = new RegExp(
  '(?:message|msg|text|error|description|details?|log|line|output|reason|info|notes?|cause' +
    '|sub_?title|summary)s?$',
  'i',
)
const DOMAIN = /^(?:com|org|net|io|dev)\.[\w-]+\.(?=\w)/i
const ERROR =
  /^(?:error|err|error(?:message|msg|text|description)|failure(?:message|reason)|stderr|exception)$/
/** Objects with an error, whose texts say why. */
const ERRORS = /^(?:error|err|exception|failure|fault|bounce)s?$/i
/** What was tried when the error came. */
const DESCRIPTION = /^description$/i
const TEXT_OF_ERROR = /^(?:message|msg|detail|details|description|reason|text)$/i

/**
 * A report made only of the fields that have a role. `null` unless a thing has a state or a reason: other
 * fields say more as a list.
 */
export function roleReport(roles: Roles): Report | null {
  const state = stateOfRoles(roles)
  const [thing, place] = distinct(roles.thing)
  const reasons = distinct(roles.reason.filter(({ field }) => isOfItem(field, roles.thing[0]?.field))).filter(
    text => !mentions(thing ?? '', text),
  )
  if (thing === undefined || !/\p{L}{2}/u.test(thing) || (state === null && reasons.length === 0)) return null
  const title = readHeadline(thing)
  // A device that is online may have sent an event about something else.
  if (state?.kind === 'good' && roles.state[0]?.field.keys.some(key => /device|host/i.test(key))) return null
  return {
    format: 'generic',
    state: state ?? title.state,
    subject: title.text,
    reason: reasons.flatMap(linesOf).slice(0, REASONS_MAX),
    extras: place === undefined ? [] : [place],
    ...rankOf(roles),
  }
}

/** Whether a field is not of another item of the list that a thing is of. */
function isOfItem({ keys }: ListedField, thing: ListedField | undefined): boolean {
  const at = thing?.keys.findIndex((key, index) => key !== keys[index]) ?? -1
  return at < 0 || !/^\d+$/.test(thing?.keys[at] ?? '') || !/^\d+$/.test(keys[at] ?? '')
}

/** Adds what a report lacks: the state, the reason of a bad state, or the thing. */
export function fillReport(given: Report, roles: Roles, fields: readonly ListedField[]): Report {
  const told = withEvent(withThing(given, roles, fields), fields)
  const state = told.state ?? (told.saysState === true ? null : sureState(roles))
  const report = withFacts(
    withAction(withCause(withError({ ...told, state }, fields), fields), fields),
    fields,
  )
  const [reason] = roles.reason
  const isBare = report.reason.length === 0 && state?.kind === 'bad' && report.subject !== ''
  if (!isBare || reason === undefined || reason.probability < SURE) return withSentence(report, fields)
  const lines = linesOf(reason.field.value).filter(line => !mentions(report.subject, line))
  return { ...report, reason: lines.slice(0, REASONS_MAX) }
}

/** Adds the name of the thing to a text that has none of the names, and to a short text the most probable. */
export function withThing(report: Report, { thing }: Roles, fields: readonly ListedField[]): Report {
  const text = textOf(report)
  const isShort = report.subject.split(' ').length <= SHORT_WORDS
  const probable = isShort ? distinct(thing.filter(({ probability }) => probability >= SURE_THING)) : []
  const named = namesOfThings(fields)
  const common = report.subject === '' ? commonName(fields) : ''
  const names = named.length > 0 ? named : probable.length > 0 || common === '' ? probable : [common]
  const [best] = names
  const isTold = (name: string) =>
    mentions(text, name) || (report.subject !== '' && mentions(name, report.subject))
  if (best === undefined) return withCommon(report, fields)
  const isEvent = named[0] !== undefined && isOfEvent(report.subject, fields)
  if (isEvent && !mentions(text, named[0] ?? ''))
    return { ...report, subject: named[0] ?? '', extras: [...(report.extras ?? []), report.subject] }
  if (named[0] !== undefined && isWeak(report.subject, fields))
    return { ...report, subject: named[0], extras: [report.subject, ...(report.extras ?? [])] }
  const [, second = ''] = named
  if (!names.some(isTold))
    return { ...report, place: best, extras: [second, ...(report.extras ?? [])].filter(one => one !== '') }
  const host = fields.find(field => HOST.test(nameOf(field).join(' ')) && !isLater(field))
  const name = host === undefined ? '' : cleanLine(host.value)
  const missing = [named[0] ?? '', named.includes(name) ? name : ''].filter(one => one !== '' && !isTold(one))
  return { ...report, extras: [...new Set(missing), ...(report.extras ?? [])] }
}

/** Whether a subject says where rather than what. */
function isWeak(subject: string, fields: readonly ListedField[]): boolean {
  const field = fields.find(({ value }) => subject !== '' && cleanLine(value) === subject)
  return field !== undefined && WEAK.test(nameOf(field).join(' '))
}

/** Whether a subject is only a part of the name of the event: `sync` for `sync.failed`. */
function isOfEvent(subject: string, fields: readonly ListedField[]): boolean {
  const words = tokensOf(subject)
  if (!/^[a-z]+(?:[ ._:-][a-z]+)*$/.test(subject) || DEAL.test(subject)) return false
  return fields.some(field => {
    const tokens = isEventName(field) && !isLater(field) ? tokensOf(field.value) : []
    return tokens.length > 1 && words.every(word => tokens.includes(word))
  })
}

/** Adds the name of a program to a text that names nothing else. */
function withCommon(report: Report, fields: readonly ListedField[]): Report {
  const name = commonName(fields.filter(field => !nameOf(field).includes('app')))
  return name === '' || mentions(textOf(report), name)
    ? report
    : { ...report, extras: [name, ...(report.extras ?? [])] }
}

/** Adds the closest name to a report of roles that has none of the names. */
export function withName(report: Report | null, fields: readonly ListedField[]): Report | null {
  const names = report === null ? [] : namesOfThings(fields)
  const [best] = names
  if (report !== null && best !== undefined && isWeak(report.subject, fields) && best !== report.subject)
    return { ...report, subject: best, extras: [report.subject] }
  if (report === null || best === undefined || names.some(name => mentions(textOf(report), name)))
    return report === null ? null : withEvent(withTicket(report, fields), fields)
  return withEvent(withTicket({ ...report, place: best }, fields), fields)
}

/** The report of an order or a parcel of which the body says only the number and the state. */
export function orderReport(roles: Roles, fields: readonly ListedField[]): Report | null {
  const state = stateOfRoles(roles)
  if (state === null || state.kind === 'weak' || state.kind === 'quiet') return null
  const bare: Report = { format: 'generic', state, subject: '', reason: '' }
  const [subject = ''] = withTicket(bare, fields).extras ?? []
  return subject === '' ? null : { ...bare, subject }
}

/** Adds why it is so to a problem without a reason: the value of a field of that name. */
function withCause(report: Report, fields: readonly ListedField[]): Report {
  if (report.state?.kind !== 'bad' || [report.reason].flat().join('') !== '') return report
  const cause = fields.find(
    field => CAUSE.test(nameOf(field).join(' ')) && /\p{L}{3}/u.test(field.value) && !isLater(field),
  )
  const line = cause === undefined ? '' : cleanLine(cause.value)
  const text = /^[A-Z_]{4,60}$/.test(line) ? line.replaceAll('_', ' ') : line
  return mentions(textOf(report), text) ? report : { ...report, reason: text }
}

/** Adds the key by which people know a ticket or an order: `OPS-12`. */
export function withTicket(report: Report, fields: readonly ListedField[]): Report {
  const ticket = fields.find(
    ({ keys, value }) =>
      (/^(?:key|reference)$/i.test(keys.at(-1) ?? '') && TICKET.test(value)) ||
      (/^(?:(?:platform_)?order_?(?:number|no|reference)|(?:merchant_?)?reference)$/i.test(
        keys.at(-1) ?? '',
      ) &&
        ORDER.test(value)),
  )
  if (ticket === undefined || mentions(textOf(report), ticket.value)) return report
  return { ...report, extras: [ticket.value, ...(report.extras ?? [])] }
}

/** Says what happened if the text has only a name. */
function withEvent(report: Report, fields: readonly ListedField[]): Report {
  if ([report.reason].flat().join('') !== '' || report.state?.kind === 'good') return report
  const event = eventWords(fields, textOf(report))
  const isEnd = report.state?.kind === 'bad' && /\b(?:completed|ended|finished|started)$/.test(event)
  return event === '' || isEnd ? report : { ...report, reason: event }
}

/** Adds to a text without a reason the sentence that most probably gives one. */
export function withSentence(report: Report, fields: readonly ListedField[], why = WHY): Report {
  const { state, reason, saysState = false } = report
  if ([reason].flat().join('') !== '' || saysState || state === null || !TELLING.has(state.kind))
    return report
  const told = textOf(report)
  const found = fields
    .filter(field => !isLater(field) && isTelling({ ...field, value: field.value.slice(0, 80) }))
    .filter(
      ({ value }) =>
        value.length <= SENTENCE_LENGTH_MAX &&
        !value.includes('\n') &&
        (why === WHY ? /\p{L}{2}\S* \S+ \S/u : /\p{L}{2}\S* \S/u).test(value),
    )
    .filter(({ value }) => !mentions(told, value))
  const best = found.find(field => why.test(field.keys.filter(key => !/^\d+$/.test(key)).at(-1) ?? ''))
  return best === undefined ? report : { ...report, reason: linesOf(best.value).slice(0, REASONS_MAX) }
}

/** Adds the name of a bad event with words that the text of a problem does not tell: `tunnel down`. */
function withAction(report: Report, fields: readonly ListedField[]): Report {
  if (report.state?.kind !== 'bad') return report
  const found = fields.find(
    field => isEventName(field) && ACTION.test(field.value) && stateOfField(field.value)?.kind === 'bad',
  )
  const tokens = tokensOf((found?.value ?? '').replace(DOMAIN, ''))
  const told = textOf(report)
  const isNew = tokens.some(
    token =>
      token.length > 3 && !DULL_ACTION.test(token) && readState(token) === null && !mentions(told, token),
  )
  return isNew ? { ...report, extras: [...(report.extras ?? []), tokens.join(' ')] } : report
}

/** Adds the error of a field that the text of a problem does not tell. */
function withError(report: Report, fields: readonly ListedField[]): Report {
  if (report.state?.kind !== 'bad') return report
  const found = fields.find(field => isError(field) && field.value.includes(' ') && !isLater(field))
  const [line = ''] = found === undefined ? [] : linesOf(found.value)
  if (line === '' || mentions(textOf(report), readHeadline(line).text)) return report
  const about = withSentence(report, fields, DESCRIPTION)
  return { ...report, reason: [...[about.reason].flat().filter(text => text !== '' && text !== line), line] }
}

/** Whether a field has the text of an error: `error`, or `message` of an object of errors. */
function isError({ keys }: ListedField): boolean {
  const [name = '', above = ''] = keys.filter(key => !/^\d+$/.test(key)).toReversed()
  return ERROR.test(fieldKey(name)) || (ERRORS.test(above) && TEXT_OF_ERROR.test(name))
}

function textOf(report: Report): string {
  return [report.subject, ...[report.reason].flat(), report.place ?? '', ...(report.extras ?? [])].join(' ')
}

/** The state, if it is most probably one and says something. */
function sureState(roles: Roles): State | null {
  const [first] = roles.state
  const [rank] = roles.severity
  if (first === undefined && rank !== undefined && rank.probability >= SURE_STATE) {
    const state = readState(rank.field.value)
    return state !== null && /^(?:CRITICAL|FATAL|EMERGENCY|DISASTER|URGENT)$/.test(state.word) ? state : null
  }
  if (first === undefined || TEXTS.includes(fieldKey(first.field.keys.at(-1) ?? ''))) return null
  const state = first.probability < SURE_STATE ? null : stateOfRoles(roles)
  return state?.kind === 'bad' ? state : null
}

function rankOf({ severity: [found] }: Roles): Pick<Report, 'severity'> {
  const rank = found === undefined ? null : severityOf(readState(found.field.value))
  return rank === null ? {} : { severity: rank }
}

/** The values, each once. */
function distinct(candidates: readonly Candidate[]): readonly string[] {
  const texts = candidates.map(({ field }) => cleanLine(field.value)).filter(text => text !== '')
  return texts.filter((text, index) => !texts.slice(0, index).some(other => mentions(other, text)))
}
