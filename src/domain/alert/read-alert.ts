import type { AlertFormat } from '#contracts/webhook.ts'
import { Body } from '#domain/alert/body.ts'
import { compose, type Report } from '#domain/alert/compose.ts'
import { fillFacts, headReport } from '#domain/alert/facts/pack-facts.ts'
import { worstMark } from '#domain/alert/filter-facts.ts'
import { assignRoles, type Roles } from '#domain/alert/guess/assign-roles.ts'
import { describeGeneric } from '#domain/alert/guess/describe-generic.ts'
import { digestPairs } from '#domain/alert/guess/digest-fields.ts'
import { guessList } from '#domain/alert/guess/guess-list.ts'
import { guessReport } from '#domain/alert/guess/guess-report.ts'
import { isEventName, namesOfThings } from '#domain/alert/guess/name-fields.ts'
import { readCard } from '#domain/alert/guess/read-card.ts'
import { readRun } from '#domain/alert/guess/read-run.ts'
import { fillReport, roleReport, withThing } from '#domain/alert/guess/role-report.ts'
import { stateOfFlag, stateOfRoles, withOwnState } from '#domain/alert/guess/role-state.ts'
import { fieldKey, findLabel, openScopes } from '#domain/alert/read/find-fields.ts'
import { gatherEvidence, LEAVES_MAX, type StateMark } from '#domain/alert/read/gather-evidence.ts'
import { isObject, type Json, objectsOf, recordOf } from '#domain/alert/read/json-value.ts'
import { type ListedField, listFields } from '#domain/alert/read/list-fields.ts'
import type { Payload } from '#domain/alert/read/read-payload.ts'
import { unwrapPayload } from '#domain/alert/read/unwrap-payload.ts'
import { readReport } from '#domain/alert/sender.ts'
import { SENDERS } from '#domain/alert/senders.ts'
import { mentions } from '#domain/alert/text/clean-text.ts'
import { cutText, joinedLine } from '#domain/alert/text/cut-text.ts'
import { HOSTS, THINGS, WRAPPERS } from '#domain/alert/vocabulary/field-names.ts'
import { readState, type State } from '#domain/alert/vocabulary/states.ts'

/** Of more items, each may have so few fields that its state is not reached. */
const ITEMS_SORTED_MAX = 512
/** A body with fewer fields is short enough as a list of its fields. */
const PACKED_MIN = 6
/** Among these first fields the list of an alert is looked for. */
const FIELDS_SEARCHED_MAX = 64
/** Names of objects that hold the state of the thing above them. */
const NO_NAME = /^(?:status|state|health|result|details?)$/i

/** An alert as it was understood, and its text. */
export interface ReadAlert {
  /** Null: only the fields could be listed. */
  readonly report: Report | null
  readonly format: AlertFormat
  readonly message: string
  /** Whether a file in `senders/` knows the body. */
  readonly isKnown: boolean
}

/** The body without its envelope. Of its first list of objects, those with a problem come first. */
export function bodyOf({ value, headers }: Payload): Body {
  const inner = asRecord(unwrapPayload(value))
  if (!isObject(inner)) return new Body({ value: inner, headers })
  const names = Object.keys(inner)
  const name = names.slice(0, FIELDS_SEARCHED_MAX).find(one => objectsOf(inner[one]).length > 1)
  if (name === undefined) return new Body({ value: inner, headers })
  const sorted = names.map(one => {
    const field = inner[one] ?? null
    return [one, one === name ? badFirst(field) : field] as const
  })
  return new Body({ value: recordOf(sorted), headers })
}

/**
 * The bodies that are matched against `SENDERS`: the request's and, for a chat message, one made of its
 * parts.
 */
export function bodiesToMatch(body: Body): readonly Body[] {
  const card = readCard(body.value)
  return card === null ? [body] : [body, new Body({ value: card.forSenders, headers: body.headers })]
}

/** Reads an alert by the first sender that knows it, or else guesses. */
export function readAlert(body: Body): ReadAlert {
  for (const one of bodiesToMatch(body)) {
    for (const sender of SENDERS) {
      const read = sender.matches(one) ? tellReport(withCount(readReport(sender, one), body), true) : null
      if (read !== null) return read
    }
  }
  return guessAlert(body)
}

/** Monitors tell one of the things in a list; the text says how many more there are. */
function withCount(report: Report, { value }: Body): Report {
  const more = objectsOf(value).length - 1
  if (more < 1 || report.format !== 'uptime-monitor') return report
  return { ...report, extras: [`+${more} more`, ...(report.extras ?? [])] }
}

/** Reads an alert without the files of the senders. */
export function guessAlert(body: Body): ReadAlert {
  const card = readCard(body.value)
  const fields = listFields(body.value)
  const roles = assignRoles(fields)
  const ofCard = card && guessReport(new Body({ value: card.forGuess, headers: body.headers }), true)
  const ofFacts = card === null ? [] : listFields(card.forGuess)
  const ofBoth = ofCard && withThing(ofCard, roles, [...ofFacts, ...fields])
  const more = card === null || card.more === 0 ? [] : [`+${card.more} more`]
  const told = tellReport(ofBoth && { ...ofBoth, extras: [...more, ...(ofBoth.extras ?? [])] })
  if (told !== null) return told
  const run = tellReport(readRun(fields))
  if (run !== null) return run
  const guess = withList(guessReport(body), body)
  const read =
    tellReport(withOwnState(guess === null ? null : fillReport(guess, roles, fields), fields)) ??
    tellReport(withOwnState(roleReport(roles), fields)) ??
    tellReport(withOwnState(bareReport(fields, roles), fields))
  const message = cutText(digestPairs(body.value).join(' '))
  return read ?? { report: null, format: 'digest', message, isKnown: false }
}

/** The state of a body of fields without common names. One that is online may tell of another event. */
function ownState(fields: readonly ListedField[], roles: Roles): State | null {
  const flags = fields.flatMap(({ keys, value }) => stateOfFlag(keys.at(-1) ?? '', value) ?? [])
  const states = [stateOfRoles(roles), ...flags].filter(state => state !== null)
  const isEvent = fields.some(isEventName)
  return (
    states.find(({ kind }) => kind === 'bad') ??
    states.find(({ kind }) => kind !== 'good' || !isEvent) ??
    null
  )
}

/** The report of a body whose fields have no common names. Null: a list of its few fields is shorter. */
function bareReport(fields: readonly ListedField[], roles: Roles): Report | null {
  const state = ownState(fields, roles)
  const isShort = fields.filter(({ isLine }) => !isLine).length < PACKED_MIN
  const tellsEvent = fields.some(field => isEventName(field) && /\p{L} \p{L}/u.test(field.value))
  const isList = isShort && state?.kind !== 'bad' && !(tellsEvent && namesOfThings(fields).length > 0)
  return isList ? null : headReport(fields, state)
}

/** Adds to a report without a reason what the items of a list in the body say. */
function withList(report: Report | null, body: Body): Report | null {
  const isBare = report === null || ([report.reason].flat().join('') === '' && report.state?.kind !== 'good')
  const list = isBare ? guessList(body) : null
  if (report === null || list === null) return list ?? report
  const isSame = report.subject !== '' && [list.reason].flat().every(line => mentions(line, report.subject))
  if (isSame) return report
  const state = report.state?.kind === 'bad' ? report.state : (list.state ?? report.state)
  return { ...report, state, reason: list.reason, extras: [...(list.extras ?? []), ...(report.extras ?? [])] }
}

/**
 * Tells a problem that other words hide (`{"status":"ok","level":"error"}`): with the worst of its states, or
 * without a state. If that state belongs to a part of the body, such as an item of a list, the part is told.
 */
export function retellProblem(read: ReadAlert, body: Body, worst: StateMark | undefined): ReadAlert {
  const { report } = read
  const isPart = worst !== undefined && worst.owner !== null && worst.owner !== body.value && !worst.isLine
  const part = isPart ? reportOfPart(worst) : null
  if (part !== null) {
    const names = report?.extras?.filter(extra => !extra.includes('=')) ?? []
    return tellReport({ ...part, extras: [...(part.extras ?? []), placeOf(report, body), ...names] }) ?? read
  }
  if (report === null) return read
  const unclear = worst === undefined || worst.state !== null ? [] : [worst.text]
  const reason = [...unclear, ...[report.reason].flat()]
  return tellReport({ ...report, reason, state: worst?.state ?? null, saysState: false }) ?? read
}

/** Tells the end of a problem whose state stands in a field that was not read as one. */
export function retellEnd(read: ReadAlert, body: Body, state: State): ReadAlert {
  if (read.report !== null) return tellReport({ ...read.report, state, saysState: false }) ?? read
  const saysState = (pair: string) => readState(pair.slice(pair.indexOf('=') + 1))?.word === state.word
  const others = digestPairs(body.value).filter(pair => !saysState(pair))
  const reason = others.map(withoutName).join(' ') || read.message
  return (
    tellReport({ format: read.format, state, saysState: others.length === 0, subject: '', reason }) ?? read
  )
}

/** The value of a pair if it is a sentence, which needs no name. */
function withoutName(pair: string): string {
  const value = pair.slice(pair.indexOf('=') + 1)
  return value.split(' ').length > 2 ? value : pair
}

function reportOfPart({ owner, ownerName, state, text }: StateMark): Report | null {
  const own = describeGeneric(owner, openScopes(owner))
  if (own?.state?.kind === 'bad') return own
  const subject =
    own?.subject ||
    findLabel(openScopes(owner), [...THINGS, ...HOSTS]) ||
    (state === null || ownerName === '' ? '' : (namesOfThings(listFields(owner))[0] ?? '')) ||
    (WRAPPERS.has(fieldKey(ownerName)) || NO_NAME.test(ownerName) ? '' : ownerName)
  if (subject === '' || (state !== null && state.kind !== 'bad')) return null
  const part: Report = { format: 'generic', state, subject, reason: state === null ? text : '' }
  return fillFacts(part, listFields(owner))
}

function placeOf(report: Report | null, body: Body): string {
  return report?.subject || body.label(...HOSTS)
}

/** `null` if the report gives no text. */
export function tellReport(report: Report | null, isKnown = false): ReadAlert | null {
  const message = report === null ? '' : cutText(joinedLine(compose(report)))
  return report === null || message === '' ? null : { report, format: report.format, message, isKnown }
}

/**
 * A list of words becomes a message with one word per line; `null` becomes an empty alert. Of a list of
 * objects, those with a problem come first.
 */
function asRecord(value: Json): Json {
  if (value === null) return recordOf([])
  if (!Array.isArray(value)) return value
  if (value.every(item => typeof item !== 'object'))
    return recordOf([['message', value.slice(0, 32).join('\n')]])
  return badFirst(value)
}

function badFirst(value: Json): Json {
  if (!Array.isArray(value) || value.length > ITEMS_SORTED_MAX) return value
  // All items together cost as much as one body, however large they are.
  const leavesMax = Math.ceil(LEAVES_MAX / Math.max(1, value.length))
  const isBad = (item: Json) => worstMark(gatherEvidence(item, leavesMax)) !== undefined
  const bad = new Set(value.filter(isBad))
  return [...bad, ...value.filter(item => !bad.has(item))]
}
