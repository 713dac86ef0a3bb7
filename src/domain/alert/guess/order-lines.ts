import { isReasonName } from '#domain/alert/guess/line-names.ts'
import { mentions } from '#domain/alert/text/clean-text.ts'
import { isFaultLine } from '#domain/alert/text/fault-line.ts'

/** Fewer lines are a text, which is read from its start. */
const REPORT_LINES_MIN = 3
/** Lines among which a measured value is looked for. */
const LINES_READ_MAX = 8
/** UTF-16 units of a title and a line that leave no room for another line in one segment. */
const LENGTH_FULL = 145
const SEGMENT_LENGTH = 155
const SENTENCE_GAP = /(?<=\S \S+ \S*\p{L}{2}[.!?]) +(?=\p{Lu}\S* \S+ \S)/u
const MEASURED = new RegExp(
  '(?<![\\d.])\\d{1,7}(?:[.,]\\d{1,4})? ?(?:%|(?:°|deg )?[CF]|[kmM]?[VAWΩ]|kWh|[KMGT]i?B|[kmu]?s' +
    '|[Mm]in(?:ut\\p{L}{1,3})?|rpm' +
    '|RPM|m?bar|hPa|ppm|dBm?|days?|Tage|jours)(?![\\p{L}\\d])',
  'u',
)
const LIMIT = /^\W*(?:threshold|limit|warning at|critical at|schwell\w*|grenzwert|seuil|umbral|soglia)/i

/** How much more than the first line another must say to come before it. */
const LEAD_MIN = 1.5
const QUOTED = /["\u201c](?:[^"\u201d ]+ ){3,}[^"\u201d ]+["\u201d]/
/** Labels whose value says where, not why. */
const WHERE = new RegExp(
  '^(?:received from|from|to|url|link|host|server|node|device|client|ip|ip address|system|site|account' +
    '|product|model|job ?id)\\b[^:]{0,20}:',
  'i',
)
const PLACE_LENGTH_MAX = 60
const WORDS_MIN = 4
/** A shorter line was not wrapped by a mail. */
const WRAPPED_LENGTH_MIN = 45

/** The lines of a report: the one that says most first, then what was measured. */
export function orderLines(all: readonly string[], title: string): string[] {
  const unwrapped = unwrap(all)
  const length = unwrapped.reduce((sum, line) => sum + line.length + 2, title.length)
  const isFull = title !== '' && length > SEGMENT_LENGTH
  const whole = isFull ? unwrapped.flatMap(line => line.split(SENTENCE_GAP)) : unwrapped
  // Where it is comes after what it is.
  const places = isPlace(whole[0] ?? '') ? whole.filter(isPlace) : []
  const lines = [...whole.filter(line => !places.includes(line)), ...places]
  const [first, ...others] = lines.slice(0, LINES_READ_MAX).map((line, at) => weightOf(line, title) - at / 20)
  const [line1 = '', line2 = ''] = lines
  const isLong = title.length + line1.length + line2.length > SEGMENT_LENGTH
  const isReport = lines.length >= REPORT_LINES_MIN || (isLong && isReason(line2))
  if (first === undefined || !isReport) return measuredSoon(lines, title)
  const best = Math.max(...others)
  const at = others.indexOf(best) + 1
  const line = lines[at]
  if (best < 1 || best - first < LEAD_MIN || line === undefined) return measuredSoon(lines, title)
  return measuredSoon([line, ...lines.toSpliced(at, 1)], title)
}

/** Sentences that were wrapped over several lines become one line each again. */
function unwrap(all: readonly string[]): readonly string[] {
  const lines: string[] = []
  for (const line of all) {
    const last = lines.at(-1)
    const isWrapped = last !== undefined && last.length >= WRAPPED_LENGTH_MIN && !/[.!?:;]$/.test(last)
    if (isWrapped && /^[\p{Ll}(](?!\S{0,20}:)/u.test(line)) lines[lines.length - 1] = `${last} ${line}`
    else lines.push(line)
  }
  return lines
}

/** Whether a line says where, and nothing more. */
function isPlace(line: string): boolean {
  return line.length <= PLACE_LENGTH_MAX && WHERE.test(line)
}

/** Whether a line has a name of lines that say why. */
function isReason(line: string): boolean {
  return isReasonName(/^([^:]{2,30}?) ?: \S/.exec(line)?.[1] ?? '')
}

/** How much a line says about what went wrong. */
function weightOf(line: string, title: string): number {
  const words = line.split(' ')
  const isShort = words.length < WORDS_MIN
  let weight = 0
  // What a label means stands below it.
  if (line.endsWith(':')) return -1
  if (isFaultLine(line) && !isShort) weight += 2
  if (MEASURED.test(line) && !LIMIT.test(line)) weight += 1
  if (QUOTED.test(line) || isReason(line)) weight += 2
  if (isPlace(line)) weight -= 1
  if (isShort || mentions(title, line)) weight -= 1
  return weight
}

/**
 * The line with what was measured comes second, if nothing before it says a number. It comes first if it
 * would have no room otherwise.
 */
export function measuredSoon(lines: readonly string[], title: string): string[] {
  const [first = ''] = lines
  if (title === '' || MEASURED.test(title) || MEASURED.test(first)) return [...lines]
  const read = lines.slice(0, LINES_READ_MAX)
  const at = read.findIndex(line => MEASURED.test(line) && !LIMIT.test(line))
  const measured = read[at]
  const before = lines.slice(0, at + 1).reduce((length, line) => length + line.length + 2, title.length)
  if (measured === undefined || before < LENGTH_FULL) return [...lines]
  const isFull = title.length + first.length > LENGTH_FULL
  const others = lines.toSpliced(at, 1)
  return isFull ? [measured, ...others] : [first, measured, ...others.slice(1)]
}
