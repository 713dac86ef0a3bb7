import type { AlertFormat, AlertSeverity } from '#contracts/webhook.ts'
import { says, wordsOf } from '#domain/alert/text/clean-text.ts'
import { isShort, oneLine } from '#domain/alert/text/cut-text.ts'
import { printSpan } from '#domain/alert/text/time-span.ts'
import { readState, type State } from '#domain/alert/vocabulary/states.ts'

/** What a reader wants to know of an alert; every part may be empty. Texts are cleaned. */
export interface Report {
  readonly format: AlertFormat
  readonly state: State | null
  /** How bad the sender holds it to be, where that is not what the state says. */
  readonly severity?: AlertSeverity | null
  /** What it is about. */
  readonly subject: string
  /** Why: a line, or several of falling weight. */
  readonly reason: string | readonly string[]
  /** Said in brackets at the end where one segment has room for it. */
  readonly extras?: readonly string[]
  /** How long it lasted, for an alert that is over: milliseconds, or the sender's own words for it. */
  readonly lasted?: number | string
}

const SENTENCE_END = /[.!?](?=\s)/g
const TAIL_LENGTH = 16
/** A long aside that ends a sentence: the first thing that a text without room for it can do without. */
const ASIDE = / \([^()]{20,}\)(?=\.?$)/
/** Units of a reason that stand beside a name: about two segments. */
const REASON_LENGTH_MAX = 300

/**
 * `STATE subject: reason (extras)`, nothing said twice, in one segment where the reason's first sentence
 * allows.
 */
export function compose(report: Report): string {
  const state = report.state === null || report.state.kind === 'quiet' ? '' : report.state.word
  const lines = (typeof report.reason === 'string' ? [report.reason] : report.reason).map(line =>
    withoutSentence(withoutLabel(withoutLink(oneLine(line), report.subject), report.subject), report),
  )
  let subject = withoutTail(oneLine(report.subject), /[.:,;!]+$/)
  const reason = lines.filter(
    line => line !== '' && (!says(subject, line) || isRaw(subject, line)) && !isState(line, state),
  )
  if (reason.some((line, index) => index < 2 && names(line, subject))) subject = ''
  if (subject !== '') subject = withoutEnd(withoutWord(subject, state), state)
  else if (reason[0] !== undefined) reason[0] = withoutWord(reason[0], state)
  const head = [state, subject].filter(part => part !== '').join(' ')
  const span = spanOf(report)
  const room = span === '' ? '' : ` (${span})`
  const text = appendReason(
    { head, isNamed: subject !== '' },
    withoutEcho(reason, `${state} ${subject}`),
    room,
  )
  return appendExtras(withoutTail(text, / *[:;,]+$| -+$/), span, report.extras ?? [])
}

/** `down 12m` for what was watched, `after 12m` for anything else. */
function spanOf({ format, lasted }: Report): string {
  const span = typeof lasted === 'number' ? printSpan(lasted) : (lasted ?? '')
  return span === '' ? '' : `${format === 'uptime-monitor' ? 'down' : 'after'} ${span}`
}

/** A text without such signs at its end; only the last few are looked at, so that no text makes it slow. */
function withoutTail(text: string, signs: RegExp): string {
  const tail = text.slice(-TAIL_LENGTH)
  return text.slice(0, text.length - tail.length) + tail.replace(signs, '')
}

/** What stands before the reason, and whether a name is part of it. */
interface Head {
  readonly head: string
  readonly isNamed: boolean
}

/** `span`: how long it lasted, which is said at the end and wants room. */
function appendReason({ head, isNamed }: Head, reason: readonly string[], span: string): string {
  const [whole, ...more] = reason
  if (whole === undefined) return head
  const sign = !isNamed ? '' : head.includes(': ') ? ' -' : ':'
  const join = (tail: string): string => (head === '' ? tail : `${head}${sign} ${tail}`)
  if (!isNamed) return more.reduce((text, line) => `${endSentence(text)} ${line}`, join(whole))
  const fits = (tail: string): boolean => isShort(join(tail) + span)
  const first = fits(whole) ? whole : whole.replace(ASIDE, '')
  let text = join(first)
  if (!fits(first)) return join(firstSentences(first, fits))
  for (const line of more) {
    const longer = `${endSentence(text)} ${line}`
    if (!isShort(longer + span)) break
    text = longer
  }
  return text
}

/** A text without the state that it begins with: "TEST Test message" says it twice. */
function withoutWord(text: string, state: string): string {
  if (state === '' || !text.toUpperCase().startsWith(state)) return text
  const rest = /^[ :|-]+(?=\S)/.exec(text.slice(state.length))
  return rest === null ? text : text.slice(state.length + rest[0].length)
}

/** Words that say nothing new beside those of a name. */
const GLUE = new Set(
  'a an the on of in at for to from with is are was has have been be failed alert'.split(' '),
)

/** A reason without a first sentence that only says the name in other words, where it goes on. */
function withoutEcho(reason: readonly string[], head: string): readonly string[] {
  const [first = '', ...more] = reason
  const [sentence = ''] = /^[^.!?]{1,160}[.!?](?= \S)/.exec(first) ?? []
  const said = new Set(wordsOf(head).trim().split(' '))
  const isEcho = wordsOf(sentence)
    .trim()
    .split(' ')
    .every(word => said.has(word) || GLUE.has(word))
  return sentence === '' || !isEcho ? reason : [first.slice(sentence.length).trim(), ...more]
}

/**
 * "Backup failed" after FAILED is the backup, "nas is DOWN" the nas; "has failed" is a sentence and stays
 * one.
 */
function withoutEnd(text: string, state: string): string {
  const said = / is (?:now )?([A-Z]{2,12})$/.exec(text)
  if (said !== null && readState(said[1] ?? '')?.word === state) return text.slice(0, said.index)
  if (state !== 'FAILED' || /\b(?:has|have|had|was|is|been|not|it) failed$/i.test(text)) return text
  return text.replace(/(?<=[\w\])"']) failed$/i, '')
}

/** A reason without the link that it begins with, when the name has it already. */
function withoutLink(line: string, what: string): string {
  const link = /^https?:\/\/\S+ +(?=\S)/i.exec(line)?.[0]
  return link !== undefined && what.includes(link.trim()) ? line.slice(link.length) : line
}

/** A reason without the name that it begins with, when it is the last of what is said before. */
function withoutLabel(line: string, what: string): string {
  const label = /^([^:]{1,60}): (?=\S)/.exec(line)
  const isSaid = label !== null && says(what, label[1] ?? '')
  return isSaid ? line.slice(label[0].length) : line
}

/** A reason without "nas is down" at its beginning, after DOWN nas, where it goes on. */
function withoutSentence(line: string, { subject, state }: Report): string {
  const words = / is (?:now |currently )?(\p{L}{2,12})(?:[.!,:]? +)(?=\S)/u.exec(line)
  if (words === null || subject === '' || line.slice(0, words.index) !== subject) return line
  const isSaid = state !== null && readState(words[1] ?? '')?.word === state.word
  return isSaid ? line.slice(words.index + words[0].length) : line
}

/** A reason that is the state in other letters: "failed" after FAILED. */
function isState(line: string, state: string): boolean {
  return state !== '' && /^\p{L}{2,14}[.!]?$/u.test(line) && readState(line)?.word === state
}

/** `deployment_failed` beside the same in plain words. */
function isRaw(what: string, line: string): boolean {
  return what.includes('_') && wordsOf(what) === wordsOf(line)
}

/**
 * Whether a reason names the thing itself. A single word must be the same to the letter: `http` is not
 * HTTP/1.1.
 */
function names(line: string, what: string): boolean {
  if (isRaw(what, line)) return true
  return says(line, what) && (/[\s:_-]/.test(what) || line.replace(/https?:\S+/g, '').includes(what))
}

/** As many sentences as fit, at least one; one that is too long by far ends at a word. */
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

/** How long it lasted is always said; other things only where one segment has room for them. */
function appendExtras(text: string, span: string, extras: readonly string[]): string {
  const kept = span === '' || says(text, span) ? [] : [span]
  for (const extra of extras.map(oneLine)) {
    if (extra === '' || says(text, extra)) continue
    if (isShort(`${text} (${[...kept, extra].join(', ')})`)) kept.push(extra)
  }
  return kept.length === 0 ? text : `${text.replace(/(?<=\S)[.:;,]$/, '')} (${kept.join(', ')})`
}

function endSentence(text: string): string {
  return /[.!?:;,]$/.test(text) ? text : `${text}.`
}
