import { type Report, says } from '#domain/alert/compose-report.ts'
import {
  findLabel,
  findRaw,
  findStates,
  isIdentifier,
  type Scopes,
  scalarOf,
} from '#domain/alert/guess/find-fields.ts'
import { isObject, type Json, type JsonObject } from '#domain/alert/read/json-value.ts'
import { cleanLine } from '#domain/alert/text/clean-text.ts'
import { type Headline, readHeadline } from '#domain/alert/text/headline.ts'
import { printSpan, readSpan, spanBetween } from '#domain/alert/text/time-span.ts'
import { decideState } from '#domain/alert/vocabulary/field-names.ts'
import { chooseState, readState, type State } from '#domain/alert/vocabulary/states.ts'

/**
 * What an uptime monitor calls the thing that it watches. Any of them, or `name` with UP or DOWN, marks
 * the family.
 */
const MONITORS = [
  'monitorfriendlyname',
  'monitorname',
  'monitordisplayname',
  'checkname',
  'monitor',
  'check',
  'snitch',
  'healthcheck',
  'endpointname',
  'endpoint',
  'pronounceablename',
] as const
const STATES = [
  'alerttypefriendlyname',
  'currentstate',
  'monitorstatus',
  'monitorstate',
  'checkstate',
  'checkstatus',
  'alertstatus',
  'newstate',
  'newstatus',
  'status',
  'state',
  'alerttype',
  'eventtype',
  'event',
  'type',
  'action',
  'notificationtype',
  'reason',
] as const
const REASONS = [
  'alertdetails',
  'cause',
  'msg',
  'incidentreason',
  'downreason',
  'reason',
  'error',
  'errors',
  'errormessage',
  'monitorerrors',
  'lasterror',
  'message',
  'description',
  'summary',
  'details',
  'longdescription',
  'output',
  'text',
  'statuscode',
] as const
const SPANS = [
  'alertfriendlyduration',
  'alertduration',
  'downtimeduration',
  'downtime',
  'outagetime',
  'outageduration',
  'incidentduration',
  'duration',
] as const
const BEGINNINGS = ['lastdowntime', 'startedat', 'downat', 'startedon', 'incidentstartedat'] as const
const ENDS = ['resolvedat', 'endedat', 'resolvedon', 'recoveredat', 'time'] as const
const NAMES = ['name', 'displayname', 'sitename', 'websitename', 'site', 'alias'] as const
/** Endings in themselves: with a value, the incident is over. */
const RESOLVED = ['resolvedat', 'endedat'] as const
const UP_OR_DOWN = /^(?:UP|DOWN|OFFLINE|UNREACHABLE|DEGRADED|UNHEALTHY|MAINTENANCE|PAUSED|LATE|MISSED)$/

/** Uptime Kuma's numbers for the state of a heartbeat. */
const HEARTBEAT_STATES: readonly string[] = ['down', 'up', 'pending', 'maintenance']

/** `null` for what no uptime monitor sends. */
export function describeMonitor(value: Json, scopes: Scopes): Report | null {
  if (!isObject(value)) return describeNamed(value, scopes)
  return Object.hasOwn(value, 'heartbeat') && Object.hasOwn(value, 'monitor')
    ? describeHeartbeat(value)
    : describeNamed(value, scopes)
}

/**
 * Uptime Kuma: `heartbeat` and `monitor`, both `null` in tests and in notices about certificates; then
 * `msg`.
 */
function describeHeartbeat(value: JsonObject): Report {
  const heartbeat = isObject(value['heartbeat']) ? value['heartbeat'] : {}
  const monitor = isObject(value['monitor']) ? value['monitor'] : {}
  const raw = scalarOf(value['msg'])
  const message = readHeadline(cleanLine(raw))
  const known = readState(HEARTBEAT_STATES[Number(heartbeat['status'] ?? Number.NaN)] ?? '')
  const state = known ?? decideState({ status: [], rank: [] }, [message], [raw])
  const name = cleanLine(scalarOf(monitor['name']) || scalarOf(monitor['pathName']))
  const reason = cleanLine(scalarOf(heartbeat['msg']))
  const span = printSpan(spanBetween(scalarOf(heartbeat['lastDownTime']), scalarOf(heartbeat['time'])))
  return {
    state,
    what: name,
    summary: reason || message.text,
    detail: state?.kind === 'good' && span !== '' ? [`down ${span}`] : [],
  }
}

function describeNamed(value: Json, scopes: Scopes): Report | null {
  const monitor = findLabel(scopes, MONITORS)
  const isIncident =
    isObject(value) && scopes.some(scope => scope.has('cause')) && findRaw(scopes, ['startedat']) !== ''
  const hasService = scopes.some(scope => [...scope.keys()].some(key => key.startsWith('service')))
  const name =
    monitor ||
    findLabel(scopes, hasService ? NAMES : [...NAMES, 'hostname', 'host', 'servername']) ||
    bareUrl(cleanLine(findRaw(scopes, ['url'])))
  if (name === '') return null
  const found = findStates(scopes, STATES)
  const reasonRaw = findRaw(scopes, REASONS) || listErrors(scopes)
  const reason = readHeadline(cleanLine(reasonRaw))
  const state = stateOf({ scopes, found, isIncident, reason })
  if (state === null) return null
  const hasTitle = scopes[0]?.has('title') || scopes[0]?.has('subject')
  if (monitor === '' && !isIncident && (hasTitle || found.length === 0 || !UP_OR_DOWN.test(state.word)))
    return null
  const code = isIdentifier(reason.text) ? httpCode(reason.text) : reason.text
  const summary = withSecondReason(scopes, code)
  return {
    state,
    what: name,
    summary,
    detail: [...details(scopes, state, summary), findLabel(scopes, ['hostname', 'host', 'device'])],
  }
}

/** A site by its address, without what every address has. */
function bareUrl(url: string): string {
  return url.replace(/^https?:\/\//i, '').replace(/\/$/, '')
}

/** A bare number is a reason only as the status of an answer. */
function httpCode(text: string): string {
  return /^[1-5]\d\d$/.test(text) ? `HTTP ${text}` : ''
}

interface Evidence {
  readonly scopes: Scopes
  readonly found: readonly State[]
  readonly isIncident: boolean
  readonly reason: Headline
}

function stateOf({ scopes, found, isIncident, reason }: Evidence): State | null {
  const worded = chooseState(found.filter(state => state.kind !== 'quiet')) ?? numberedState(scopes)
  if (worded?.kind === 'test' || worded?.kind === 'good') return worded
  const over = isIncident && findRaw(scopes, RESOLVED) !== ''
  if (over) return readState('resolved')
  if (isIncident && (worded === null || worded.kind === 'weak')) return readState('down')
  return worded ?? reason.state ?? unknownState(scopes)
}

/** UptimeRobot numbers what happened, beside a word for it that may be left out. */
function numberedState(scopes: Scopes): State | null {
  const number = scopes[0]?.has('monitorfriendlyname') ? findRaw(scopes, ['alerttype']) : ''
  return readState(['', 'down', 'up', 'expiring', 'slow'][Number(number)] ?? '')
}

/** A word of the sender's own for the state of what it watches: said as it is. */
function unknownState(scopes: Scopes): State | null {
  const word =
    findLabel(scopes, MONITORS) === '' ? '' : findRaw(scopes, ['monitorstatus', 'currentstate', 'status'])
  return /^\p{L}{3,16}$/u.test(word) && readState(word) === null
    ? { word: word.toUpperCase(), kind: 'other' }
    : null
}

/** Errors by place: `London: timeout`. */
function listErrors(scopes: Scopes): string {
  const errors = scopes.map(scope => scope.get('monitorerrors') ?? scope.get('errors')).find(isObject) ?? {}
  return Object.entries(errors)
    .slice(0, 3)
    .map(([place, error]) => `${place}: ${scalarOf(error)}`)
    .join(', ')
}

/** A monitor that says in one field what and in another why: `HTTP Error 503`, `Service Unavailable`. */
function withSecondReason(scopes: Scopes, first: string): string {
  const second = cleanLine(findRaw(scopes, ['longdescription', 'errormessage']))
  if (says(first, second) || second.length > 100) return first
  return says(second, first) ? second : `${first} - ${second}`
}

function details(scopes: Scopes, state: State, summary: string): readonly string[] {
  if (state.kind === 'good') {
    const given = readSpan(cleanLine(findRaw(scopes, SPANS)))
    const span = given || printSpan(spanBetween(findRaw(scopes, BEGINNINGS), findRaw(scopes, ENDS)))
    return span === '' ? [] : [`down ${span}`]
  }
  const tags = summary === '' ? cleanLine(findRaw(scopes, ['tags'])) : ''
  return tags === '' ? [] : [`tags: ${tags}`]
}
