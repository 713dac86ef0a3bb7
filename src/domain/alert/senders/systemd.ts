import type { Body } from '#domain/alert/body.ts'
import type { Sender } from '#domain/alert/sender.ts'
import { faultLines } from '#domain/alert/text/fault-line.ts'
import { readHeadline } from '#domain/alert/text/headline.ts'
import { readState, type State } from '#domain/alert/vocabulary/states.ts'

const UNIT = '[\\w@.:\\\\-]+\\.(?:service|timer|mount|socket|scope|path|target|swap|slice|device)'
const IS_UNIT = new RegExp(`^${UNIT}$`)
const STATUS_HEAD = new RegExp(`^[●×○↻*x]? ?(${UNIT})(?: - ([^\\n]*))?$`, 'm')
const ACTIVE = /^ *Active: (\w+)(?: \(([^)\n]*)\))?/m
const FAILURE = new RegExp(`(?<![\\w@.:\\\\-])(${UNIT}): Failed with result '([\\w-]+)'`)
/** A line of the journal: the program and its message. */
const JOURNAL = /^[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \S+ ([^\s:[]+)(?:\[\d+\])?: ([^\n]+)$/gm

/** A unit in the list of `systemctl list-units --failed`. Its load, active and sub-states follow. */
const FAILED_UNIT = new RegExp(`^[●* ]*(${UNIT}) +\\w[\\w-]* +failed +failed\\b`, 'gm')
/** Words for the results of units that did not end by themselves (`$SERVICE_RESULT` in systemd.exec(5)). */
const RESULT_WORDS: ReadonlyMap<string, string> = new Map([
  ['oom-kill', 'killed, out of memory'],
  ['core-dump', 'crashed'],
  ['signal', 'killed'],
  ['watchdog', 'watchdog timeout'],
  ['timeout', 'timeout'],
])

/** The list of failed units: `systemctl list-units --failed`, or `systemctl --failed`. */
export const failedUnits: Sender = {
  format: 'generic',
  matches: body => body.text.search(FAILED_UNIT) >= 0,
  state: [() => readState('failed')],
  subject: [body => [...body.text.matchAll(FAILED_UNIT)].map(([, unit]) => unit).join(', ')],
  reason: [],
}

/** `systemctl status` of a unit, systemd's line in the journal, or fields with a unit and its result. */
export const systemd: Sender = {
  format: 'generic',
  matches: body =>
    (STATUS_HEAD.test(body.text) && ACTIVE.test(body.text) && !isAttached(body)) ||
    FAILURE.test(body.text) ||
    resultOf(body) !== '',
  state: [
    body => (FAILURE.test(body.text) || isFailed(resultOf(body)) ? readState('failed') : null),
    body => (/^(?:activating|deactivating|reloading)$/.test(body.match(ACTIVE)) ? transitionOf(body) : null),
  ],
  subject: [
    body => body.match(STATUS_HEAD) || body.match(FAILURE),
    body => [unitOf(body), body.label('host', 'hostname')].filter(text => text !== '').join(' on '),
  ],
  reason: [
    body => [violentEnd(body), errorLine(body)].filter(text => text !== ''),
    lastLogLine,
    body => FAILURE.exec(body.text)?.[2] ?? '',
    resultOf,
    body => body.match(/^ *Active: ([^\n]*?)(?: since [^\n]*)?$/m),
  ],
  extras: [body => STATUS_HEAD.exec(body.text)?.[2] ?? '', body => body.match(/^ *Host: (\S+)/m)],
}

/** Whether the status of a unit that works stands below a title about a failure. */
function isAttached(body: Body): boolean {
  const isWorking = /^(?:activating|active)$/.test(body.match(ACTIVE))
  return isWorking && readHeadline(body.title).state?.kind === 'bad'
}

/** The lines that the unit's own program logged. */
function logLines(body: Body): readonly string[] {
  return [...body.text.matchAll(JOURNAL)]
    .filter(([, program]) => !/^(?:systemd|sudo|CRON)$/.test(program ?? ''))
    .map(([, , message = '']) => message)
}

/** The last line of a failed unit that says what went wrong, if possible one marked as an error. */
function errorLine(body: Body): string {
  if (!isFailed(resultOf(body))) return ''
  const [first = ''] = faultLines(logLines(body).toReversed())
  return first
}

/** How a unit ended that did not end by itself. The last line that it logged then rarely says why. */
function violentEnd(body: Body): string {
  const result = resultOf(body)
  const words = RESULT_WORDS.get(result) ?? ''
  const signal = /\(code=(?:killed|dumped), signal=(\w+)\)/.exec(body.text)?.[1]
  return signal !== undefined && /^(?:core-dump|signal)$/.test(result) ? `${words} by ${signal}` : words
}

function lastLogLine(body: Body): string {
  return logLines(body).at(-1) ?? ''
}

/** The name of a unit that a script sends in a field. */
function unitOf(body: Body): string {
  const unit = body.find('unit', 'unitname', 'monitorunit')
  return IS_UNIT.test(unit) ? unit : ''
}

/** How a unit ended: `exit-code`, `timeout`, `success`. */
function resultOf(body: Body): string {
  const active = ACTIVE.exec(body.text)?.[1]
  if (active !== undefined) {
    const result = /\(Result: ([\w-]+)\)/.exec(body.text)?.[1]
    return result ?? (active === 'failed' ? 'failed' : '')
  }
  if (unitOf(body) === '') return ''
  return body.find('serviceresult', 'monitorserviceresult', 'result', 'activestate', 'status')
}

function isFailed(result: string): boolean {
  return result !== '' && !/^(?:success|active|running|inactive|done)$/.test(result)
}

/** The state of a unit that is starting, stopping or reloading: systemd's word for it. */
function transitionOf(body: Body): State {
  return { word: body.match(ACTIVE).toUpperCase(), kind: 'other' }
}
