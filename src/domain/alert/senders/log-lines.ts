import { type Body, oncePerBody } from '#domain/alert/body.ts'
import type { Sender } from '#domain/alert/sender.ts'
import { cleanLine, mentions } from '#domain/alert/text/clean-text.ts'
import { isFaultLine } from '#domain/alert/text/fault-line.ts'
import { readHeadline } from '#domain/alert/text/headline.ts'
import { joinWords } from '#domain/alert/text/join-words.ts'
import { chooseState, readState, type State } from '#domain/alert/vocabulary/states.ts'

/** The journal and syslog: time, host, program and message. */
const SYSLOG = new RegExp(
  '^(?:[A-Z][a-z]{2} [ \\d]\\d \\d\\d:\\d\\d:\\d\\d|\\d{4}-\\d\\d-\\d\\dT[\\d:.,]+(?:Z|[+-][\\d:]+))' +
    ' (\\S+) ([^\\s:[]+)(?:\\[\\d+\\])?: (.+)$',
)
/** The kernel's log: the seconds since the start, and the message. */
const KERNEL = /^\[ *\d+\.\d{6}\] (.+)$/
/** A program's own log: date, time, level and message. */
const DATED = new RegExp(
  '^\\d{4}[/-]\\d\\d[/-]\\d\\d[ T]\\d\\d:\\d\\d:\\d\\d(?:[.,]\\d+)?(?:Z| UTC)?:? (?:\\[\\d+\\] )?' +
    '(?:\\[?(TRACE|DEBUG|INFO|LOG|NOTICE|WARN(?:ING)?|ERR(?:OR)?|CRIT(?:ICAL)?|FATAL|PANIC)\\]?' +
    '(?: *[:-])? +)?(\\S.*)$',
)
/** What the kernel counts after the process that it killed. */
const MEMORY_COUNTS = / total-vm:.*$/
/** A text without a host, a program or a title shows one. */
const LINES_SHOWN = 2

interface LogLine {
  /** Empty if the line does not name it. */
  readonly host: string
  readonly program: string
  readonly level: string
  readonly message: string
}

/** Lines of a log, without their times: the program, and the lines that say what went wrong. */
export const logLines: Sender = {
  format: 'generic',
  matches: body => readLog(body).length > 0,
  state: [
    body => readHeadline(headOf(body)).state,
    body => chooseState(readLog(body).flatMap(line => levelOf(line) ?? [])),
  ],
  subject: [headOf, sourceOf],
  reason: [messagesOf],
}

/** The title, or a line before the log that says what it is about. */
function headOf(body: Body): string {
  const first = /\S[^\n]*/.exec(body.message)?.[0].trim() ?? ''
  return body.title || (readLine(first) === null ? cleanLine(first).replace(/:$/, '') : '')
}

/**
 * The lines of a log in the message, without those that continue one. None, unless the message begins with
 * one or most of its lines are.
 */
const readLog = oncePerBody((body: Body): readonly LogLine[] => {
  const lines = body.message
    .split(/[\r\n\u2028\u2029]+/)
    .map(line => line.trim())
    .filter(line => line !== '')
  const read = lines.map(readLine).filter(line => line !== null)
  // One line with a date may be what a person wrote, which is sent unchanged.
  if (lines.length === 1) return DATED.test(lines[0] ?? '') ? [] : read
  const isLog = readLine(lines[0] ?? '') !== null || read.length * 2 > lines.length
  // Dates alone may stand before what a script says; only levels make such lines a log.
  const isProgram = read.some(line => line.program !== '' || line.level !== '')
  return isLog && isProgram && read.length > 1 ? read : []
})

function readLine(line: string): LogLine | null {
  const [, host = '', program = '', text] = SYSLOG.exec(line) ?? []
  if (text !== undefined) return { host, program, level: '', message: text }
  const [, message] = KERNEL.exec(line) ?? []
  if (message !== undefined)
    return { host: '', program: 'kernel', level: '', message: message.replace(MEMORY_COUNTS, '') }
  const [, level = '', rest] = DATED.exec(line) ?? []
  return rest === undefined ? null : { host: '', program: '', level, message: rest }
}

function levelOf({ level }: LogLine): State | null {
  const state = readState(level)
  return state?.kind === 'bad' ? state : null
}

/** The host and the program, as far as all lines share them. */
function sourceOf(body: Body): string {
  return joinWords(shared(body, 'host'), shared(body, 'program'))
}

function shared(body: Body, name: 'host' | 'program'): string {
  const [first = '', ...others] = new Set(readLog(body).map(line => line[name]))
  return others.length === 0 ? first : ''
}

/**
 * The last lines with a fault, the newest first and none that repeats what another says. Without a fault, all
 * lines.
 */
function messagesOf(body: Body): readonly string[] {
  const isOfOne = shared(body, 'program') !== ''
  const told = ({ program, message }: LogLine): string =>
    isOfOne || program === '' ? message : `${program}: ${message}`
  const isFault = (line: LogLine): boolean => levelOf(line) !== null || isFaultLine(line.message)
  const faults = [...new Set(readLog(body).filter(isFault).map(told).toReversed())]
  if (faults.length === 0) return readLog(body).map(told)
  const isNew = (line: string): boolean => !faults.some(other => other !== line && mentions(line, other))
  return faults.filter(isNew).slice(0, `${sourceOf(body)}${headOf(body)}` === '' ? 1 : LINES_SHOWN)
}
