import type { AlertFormat, AlertSeverity } from '#contracts/webhook.ts'
import { mentions, wordsOf } from '#domain/alert/text/clean-text.ts'
import { isShort, joinedLine } from '#domain/alert/text/cut-text.ts'
import { dropEchoes, isEcho } from '#domain/alert/text/drop-echoes.ts'
import { printSpan } from '#domain/alert/text/time-span.ts'
import { readState, type State } from '#domain/alert/vocabulary/states.ts'

/** What a reader wants to know about an alert. Every part may be empty; all texts are already cleaned. */
export interface Report {
  readonly format: AlertFormat
  readonly state: State | null
  /** Whether the reason already says the state, so that no word is put in front of it. */
  readonly saysState?: boolean
  /** The severity that the sender gives, if it differs from that of the state. */
  readonly severity?: AlertSeverity | null
  /** The thing or the check that the alert is about. */
  readonly subject: string
  /** For the key, which of the problems of the subject it is, in words that its end repeats. Not shown. */
  readonly about?: string
  /** What its end repeats word by word, which is all of the key. Not shown. */
  readonly thing?: string
  /** Why: one line, or several with the most important first. */
  readonly reason: string | readonly string[]
  /** A name that the text must have: added in brackets, in front of the extras, whatever the length. */
  readonly place?: string
  /** Added in brackets at the end if the text still fits one segment. */
  readonly extras?: readonly string[]
  /** For an alert that is over, how long it lasted: milliseconds, or the sender's own words. */
  readonly lasted?: number | string
}

const SENTENCE_END = /[.!?](?=\s)/g
const TAIL_LENGTH = 16
/** A long remark in brackets at the end of a sentence: the first thing to leave out of a long text. */
const LONG_REMARK = / \([^()]{20,}\)(?=\.?$)/
/** The longest reason after a subject, in UTF-16 units: about two segments. */
const REASON_LENGTH_MAX = 300

/**
 * `STATE subject: reason (extras)`, without repeating anything. Fits one segment, unless the first sentence
 * of the reason is too long for that. Without a subject, all lines of the reason stay, whatever the length.
 */
export function compose(given: Report): string {
  const report = given.saysState === true ? { ...given, state: null } : given
  const state = report.state === null || report.state.kind === 'quiet' ? '' : report.state.word
  const lines = (typeof report.reason === 'string' ? [report.reason] : report.reason).map(line =>
    withoutSentence(withoutLabel(withoutLink(joinedLine(line), report.subject), report.subject), report),
  )
  let subject = withoutTail(joinedLine(report.subject), /[ .:,;!]+$/)
  const telling = lines.filter(
    line =>
      line !== '' &&
      (!mentions(subject, line) || isSameIdentifier(subject, line)) &&
      !isState(line, state) &&
      !isSaid(line, `${state} ${subject}`),
  )
  const isPlain = subject === '' && telling.length < 2
  const reason = isPlain ? telling : dropEchoes(telling, `${state} ${subject}`)
  // If one of the first two lines names the subject, the text does not repeat it.
  if (reason.slice(0, 2).some(line => namesSubject(line, subject))) subject = ''
  if (subject !== '') subject = withoutEnd(withoutStart(subject, state), state)
  else if (reason[0] !== undefined) reason[0] = withoutStart(reason[0], state)
  const head = [state, subject].filter(part => part !== '').join(' ')
  const span = spanOf(report)
  const place = joinedLine(report.place ?? '')
  const kept = [span, mentions(head, place) ? '' : place].filter(part => part !== '')
  const room = kept.length === 0 ? '' : ` (${kept.join(', ')})`
  const text = appendReason({ head, hasSubject: subject !== '' }, reason, room)
  return appendExtras(withoutTail(text, / *[:;,]+$| -+$/), kept, report.extras ?? [])
}

/** `down 12m` for an uptime monitor, `after 12m` for anything else. */
function spanOf({ format, lasted }: Report): string {
  const span = typeof lasted === 'number' ? printSpan(lasted) : (lasted ?? '')
  return span === '' ? '' : `${format === 'uptime-monitor' ? 'down' : 'after'} ${span}`
}

/** Removes these signs from the end. It reads only the last few characters, so it is fast for any text. */
function withoutTail(text: string, signs: RegExp): string {
  const tail = text.slice(-TAIL_LENGTH)
  return text.slice(0, text.length - tail.length) + tail.replace(signs, '')
}

/** The text before the reason, and whether it includes the subject. */
interface Head {
  readonly head: string
  readonly hasSubject: boolean
}

/** Appends the reason, and leaves room for `span` (how long the problem lasted), which is appended later. */
function appendReason({ head, hasSubject }: Head, reason: readonly string[], span: string): string {
  const [whole, ...more] = reason
  if (whole === undefined) return head
  const separator = head.includes(': ') ? ' -' : ':'
  const start = hasSubject ? `${head}${separator}` : head
  const join = (tail: string): string => (start === '' ? tail : `${start} ${tail}`)
  if (!hasSubject) return more.reduce((text, line) => `${endSentence(text)} ${line}`, join(whole))
  const fits = (tail: string): boolean => isShort(join(tail) + span)
  const first = fits(whole) ? whole : whole.replace(LONG_REMARK, '')
  let text = join(first)
  if (!fits(first)) return join(firstSentences(first, fits))
  for (const line of more) {
    const longer = `${endSentence(text)} ${line}`
    if (!isShort(longer + span)) break
    text = longer
  }
  return text
}

/** Removes the state from the start of the text, so that TEST is not followed by "Test message". */
function withoutStart(text: string, state: string): string {
  if (state === '' || !text.toUpperCase().startsWith(state)) return text
  const rest = /^[ :|-]+(?=\S)/.exec(text.slice(state.length))
  return rest === null ? text : text.slice(state.length + rest[0].length)
}

/**
 * Removes the state from the end of a subject that follows the state: after FAILED, "Backup failed" becomes
 * "Backup"; after DOWN, "nas is DOWN" becomes "nas". A sentence such as "the backup has failed" stays whole,
 * and so does a count such as "1 failed".
 */
function withoutEnd(text: string, state: string): string {
  const suffix = / is (?:now )?([A-Z]{2,12})$/.exec(text)
  if (suffix !== null && readState(suffix[1] ?? '')?.word === state) return text.slice(0, suffix.index)
  if (state !== 'FAILED' || /\b(?:has|have|had|was|is|been|not|it) failed$/i.test(text)) return text
  return text.replace(/(?<=[\w\])"'])(?<!\b\d{1,9}) failed$/i, '')
}

/** Removes a link at the start of a reason if the subject contains it. */
function withoutLink(line: string, subject: string): string {
  const link = /^https?:\/\/\S+ +(?=\S)/i.exec(line)?.[0]
  return link !== undefined && subject.includes(link.trim()) ? line.slice(link.length) : line
}

/** Removes `name:` at the start of a reason if the subject already says that name. */
function withoutLabel(line: string, subject: string): string {
  const label = /^([^:]{1,60}): (?=\S)/.exec(line)
  const name = label?.[1] ?? ''
  // A mount (`/:`) has no words.
  const isMentioned = label !== null && /[\p{L}\p{N}]/u.test(name) && mentions(subject, name)
  return isMentioned ? line.slice(label[0].length) : line
}

/** After "DOWN nas", removes "nas is down" from the start of a reason that goes on. */
function withoutSentence(line: string, { subject, state }: Report): string {
  const words = / is (?:now |currently )?(\p{L}{2,12})(?:[.!,:]? +)(?=\S)/u.exec(line)
  if (words === null || subject === '' || line.slice(0, words.index) !== subject) return line
  const isMentioned = state !== null && readState(words[1] ?? '')?.word === state.word
  return isMentioned ? line.slice(words.index + words[0].length) : line
}

/** Whether the value of a `Name: value` line is said already. */
function isSaid(line: string, head: string): boolean {
  const value = /^[\p{L} ]{2,40}: (.{1,40})$/u.exec(line)?.[1] ?? ''
  return /\p{L}/u.test(value) && mentions(head, value)
}

/** Whether a reason only repeats the state: "failed" after FAILED. */
function isState(line: string, state: string): boolean {
  return state !== '' && /^\p{L}{2,14}[.!]?$/u.test(line) && readState(line)?.word === state
}

/** Whether the subject is an identifier such as `deployment_failed` and the reason has the same words. */
function isSameIdentifier(subject: string, line: string): boolean {
  return subject.includes('_') && wordsOf(subject) === wordsOf(line)
}

/**
 * Whether a reason already names the subject. A single word must match in case too: a monitor called `http`
 * is not named by "HTTP/1.1 503".
 */
function namesSubject(line: string, subject: string): boolean {
  if (isSameIdentifier(subject, line) || isEcho(subject, line)) return true
  if (!mentions(line, subject)) return false
  const isOneWord = !/[\s:_-]/.test(subject)
  return !isOneWord || line.replace(/https?:\S+/g, '').includes(subject)
}

/** As many sentences as fit, at least one. A sentence above the limit is cut between two words. */
function firstSentences(text: string, fits: (text: string) => boolean): string {
  let kept = ''
  for (const end of text.matchAll(SENTENCE_END)) {
    const candidate = text.slice(0, end.index + 1)
    if (kept !== '' && !fits(candidate)) return kept
    kept = candidate
  }
  const chosen = kept !== '' && kept.length < text.length ? kept : text
  if (chosen.length <= REASON_LENGTH_MAX) return chosen
  const cut = chosen.lastIndexOf(' ', REASON_LENGTH_MAX)
  return `${chosen.slice(0, cut > 0 ? cut : REASON_LENGTH_MAX)}...`
}

/** Adds `given`, whatever the length, and then the extras that still fit one segment. Repeats nothing. */
function appendExtras(text: string, given: readonly string[], extras: readonly string[]): string {
  const kept = given.filter(part => !mentions(text, part))
  for (const extra of extras.map(joinedLine)) {
    if (extra === '' || mentions(text, extra)) continue
    if (isShort(`${text} (${[...kept, extra].join(', ')})`)) kept.push(extra)
  }
  return kept.length === 0 ? text : `${text.replace(/(?<=\S)[.:;,]$/, '')} (${kept.join(', ')})`
}

function endSentence(text: string): string {
  return /[.!?:;,]$/.test(text) ? text : `${text}.`
}
