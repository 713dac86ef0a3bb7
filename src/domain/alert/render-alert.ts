/*
 * Turns what a sender posts into one short text. JSON inside a message field is unwrapped first. Then these
 * are tried in order, until one makes a text:
 * 1. the webhook's own template
 * 2. the first of `SENDERS` that knows the body
 * 3. the same for a chat message, with its parts joined
 * 4. a guess by common field names, of the body or of the items of a list in it
 * 5. the scalar fields as `name=value`
 */

import { type AlertReadings, ANY_SHAPE, type RenderedAlert, SETTLED_ROLES } from '#contracts/alert-reading.ts'
import { ALERT_LENGTH_MAX } from '#contracts/bounds.ts'
import type { AlertState, TriggerRequest } from '#contracts/webhook.ts'
import type { Body } from '#domain/alert/body.ts'
import { describeReading, shapeOf, templateValues } from '#domain/alert/describe-reading.ts'
import { evidenceOf } from '#domain/alert/ended-items.ts'
import { fillFacts } from '#domain/alert/facts/pack-facts.ts'
import { fillTemplate } from '#domain/alert/fill-template.ts'
import {
  badField,
  endState,
  type FilterFacts,
  filterFacts,
  type Read,
  unclearField,
  worstMark,
} from '#domain/alert/filter-facts.ts'
import type { Evidence } from '#domain/alert/read/gather-evidence.ts'
import { isObject, type Json, narrowJson, pruneJson, recordOf } from '#domain/alert/read/json-value.ts'
import { FIELDS_MAX, type ListedField, listFields } from '#domain/alert/read/list-fields.ts'
import { withOpenData } from '#domain/alert/read/open-data.ts'
import { isBeginning } from '#domain/alert/read/parse-json-loosely.ts'
import { type Payload, readPayload } from '#domain/alert/read/read-payload.ts'
import {
  bodyOf,
  guessAlert,
  type ReadAlert,
  readAlert,
  retellEnd,
  retellProblem,
  tellReport,
} from '#domain/alert/read-alert.ts'
import { settleReport } from '#domain/alert/settle-report.ts'
import { cleanLine, forgetLines } from '#domain/alert/text/clean-text.ts'
import { cutText, joinedLine } from '#domain/alert/text/cut-text.ts'
import { hasFault, hasRelapse } from '#domain/alert/text/fault-words.ts'
import { leadOfEnd } from '#domain/alert/text/lead-of-end.ts'
import { alertStateOf, OVER } from '#domain/alert/vocabulary/states.ts'

/** UTF-16 units of a text that has no room for a further fact. */
const FULL_LENGTH = 148
/** The text for a request without any readable content. */
const EMPTY_ALERT = 'ALERT without details'

/** The text of a request to a webhook. Never throws, whatever was sent. */
export function renderAlert(
  request: TriggerRequest,
  template: string | null,
  readings: AlertReadings = {},
): RenderedAlert {
  return renderPayload(readPayload(request), template, readings)
}

/** The text of a parsed JSON value: the same as for a request with this JSON as its body. */
export function renderPreview(
  payload: unknown,
  template: string | null,
  readings: AlertReadings = {},
): RenderedAlert {
  const value = withOpenData(pruneJson(payload))
  const isBare = typeof value !== 'object' && value !== null
  const record = isBare ? recordOf([['message', String(value)]]) : value
  return renderPayload({ value: record, headers: {} }, template, readings)
}

function renderPayload(payload: Payload, template: string | null, readings: AlertReadings): RenderedAlert {
  forgetLines()
  const value = narrowJson(payload.value)
  const body = bodyOf({ ...payload, value })
  const found = evidenceOf(body.value)
  const isWhole = found.isWhole && value === payload.value && !isBeginning(payload.value)
  const evidence = { ...found, isWhole }
  const { mail = {} } = payload
  const fields = [...listFields(mail), ...listFields(value)].slice(0, FIELDS_MAX)
  const shape = shapeOf(fields)
  const settled = readings[ANY_SHAPE] ?? (Object.hasOwn(readings, shape) ? readings[shape] : undefined)
  const first = tellWorst(body, evidence, readAlert(body))
  const own = settled === undefined ? null : settleReport(first, fields, settled)
  const given = own === null ? first : { ...first, report: own.report }
  const decided =
    own?.state === undefined ? decideState(body, evidence, given) : { read: given, state: own.state }
  // Of a list, the items with a problem come first.
  const told =
    body.value === value ? fields : [...listFields(mail), ...listFields(body.value)].slice(0, FIELDS_MAX)
  const read = fillRead(decided.read, told)
  const hasPaths = SETTLED_ROLES.some(role => settled?.[role] != null)
  const understood = { body, read, fields, shape, settled: own === null && hasPaths ? undefined : settled }
  const filled =
    template === null ? '' : cutText(fillTemplate(template, payload.value, templateValues(understood)))
  return {
    message: filled || read.message || lastResort(body.value),
    format: filled === '' ? read.format : 'template',
    ...factsOf(body, evidence, read),
    state: decided.state,
    reading: describeReading(understood),
  }
}

/**
 * The state of the text and of the filters, which is one: a text that says OK is never about an alarm. In
 * doubt the alert counts as one, and the text leaves the word out.
 */
function decideState(body: Body, evidence: Evidence, read: ReadAlert): Decided {
  const { report, isKnown } = read
  const told = alertStateOf(report?.state ?? null)
  const { state } = factsOf(body, evidence, read)
  if (report === null || told !== 'recovered' || state !== 'firing') return { read, state }
  // What is left out of the state may have stood in the title.
  const title = cleanLine(body.title)
  const subject = leadOfEnd(title) === '' ? report.subject : title
  return { read: tellReport({ ...report, subject, state: null }, isKnown) ?? read, state }
}

interface Decided {
  readonly read: ReadAlert
  readonly state: AlertState | null
}

/**
 * Adds what the body says beside the text, while there is room. The reader of a known sender tells what
 * matters; only that of a monitor may not know the error.
 */
function fillRead(read: ReadAlert, fields: readonly ListedField[]): ReadAlert {
  const { report, isKnown, message } = read
  if (report === null || message.length > FULL_LENGTH) return read
  const isBare = report.state?.kind === 'bad' && [report.reason].flat().join('') === ''
  if (isKnown && !(isBare && report.format === 'uptime-monitor')) return read
  return tellReport(fillFacts(report, fields), isKnown) ?? read
}

/** Reads a guess again if its text hides a problem behind a good state or a state that says little. */
function tellWorst(body: Body, evidence: Evidence, read: ReadAlert): ReadAlert {
  if (read.isKnown) return read.format === 'uptime-monitor' ? tellEnd(read, body, evidence) : read
  const hidden = isVague(read) ? badField(evidence) : undefined
  if (hidden !== undefined) return retellProblem(read, body, hidden)
  const told = alertStateOf(read.report?.state ?? null)
  const end = told === 'recovered' || told === 'test' ? null : endState(body, evidence, readOf(read))
  if (end !== null) return retellEnd(read, body, end)
  if (told !== 'recovered' || factsOf(body, evidence, read).state === told) return read
  // A word that only means over outweighs the severity and the words of the problem, which senders repeat.
  const isEnd = OVER.has(read.report?.state?.word ?? '')
  const worst = worstMark(isEnd ? { ...evidence, ranks: [] } : evidence) ?? unclearField(evidence)
  const isMisleading = worst !== undefined || evidence.hasError || evidence.isFlagged || evidence.isAffected
  const isDoubted = isEnd ? hasRelapse(read.message) : hasFault(read.message)
  return isMisleading || isDoubted ? retellProblem(read, body, worst) : read
}

/** The end of a problem, if a field that the reader of a monitor does not know says so. */
function tellEnd(read: ReadAlert, body: Body, evidence: Evidence): ReadAlert {
  const told = alertStateOf(read.report?.state ?? null)
  const isFiring = told === 'firing'
  // The reader of a monitor tells only the state, which something else in the body contradicts.
  if (told === 'recovered' && evidence.isWhole && factsOf(body, evidence, read).state === 'firing')
    return tellWorst(body, evidence, guessAlert(body))
  const end = isFiring ? endState(body, evidence, readOf(read)) : null
  return end === null ? read : { ...retellEnd(read, body, end), isKnown: true }
}

/** Whether a text has no state, or one that says little. */
function isVague({ report }: ReadAlert): boolean {
  const { state = null, saysState = false } = report ?? {}
  if (saysState) return false
  return state === null || (/^(?:weak|quiet|other)$/.test(state.kind) && state.word !== 'MAINTENANCE')
}

function factsOf(body: Body, evidence: Evidence, read: ReadAlert): FilterFacts {
  return filterFacts(body, evidence, readOf(read))
}

function readOf({ report, message, isKnown }: ReadAlert): Read {
  const { state = null, severity = null } = report ?? {}
  return { state, severity, message, isKnown }
}

/** A message of emoji alone is sent unchanged; an empty one still says that there was an alert. */
function lastResort(value: Json): string {
  const message = isObject(value) ? value['message'] : null
  const bare = typeof message === 'string' ? joinedLine(message.slice(0, ALERT_LENGTH_MAX * 2)) : ''
  return cutText(bare) || EMPTY_ALERT
}
