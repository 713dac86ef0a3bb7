import type { Report } from '#domain/alert/compose.ts'
import type { Candidate, Roles } from '#domain/alert/guess/assign-roles.ts'
import { commonName, isEventName, isLater, nameOf, namesOfThings } from '#domain/alert/guess/name-fields.ts'
import { stateOfRoles } from '#domain/alert/guess/role-state.ts'
import { fieldKey } from '#domain/alert/read/find-fields.ts'
import type { ListedField } from '#domain/alert/read/list-fields.ts'
import { cleanLine, linesOf, mentions } from '#domain/alert/text/clean-text.ts'
import { readHeadline } from '#domain/alert/text/headline.ts'
import { TEXTS } from '#domain/alert/vocabulary/field-names.ts'
import { readState, type State, severityOf, tokensOf } from '#domain/alert/vocabulary/states.ts'

const REASONS_MAX = 4
const SURE_STATE = 0.7
const SURE_THING = 0.8
const SHORT_WORDS = 2
/** The machine that a part belongs to. */
const HOST = /^(?:host|host ?name|fqdn|(?:server|computer|machine|installation)(?: name)?)$/
/** An event about one of these is about it, whoever did it. */
const DEAL = /payment|order|invoice|subscription|transaction|charge|transfer/
/** Names that say where rather than what. */
const WEAK = /^(?:zone|category|label|image|region|project|workspace|policy name|deployment name)$/
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
  const told = withThing(given, roles, fields)
  return { ...told, state: told.state ?? (told.saysState === true ? null : sureState(roles)) }
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
