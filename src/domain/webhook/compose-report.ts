import { wordsOf } from '#domain/webhook/clean-text.ts'
import { isShort, oneLine } from '#domain/webhook/cut-text.ts'

/** What a reader wants to know of an alert; every part may be empty. All parts are cleaned. */
export interface Report {
  /** Capitals, as the text begins. */
  readonly state: string
  readonly what: string
  /** The reason: a line, or several of falling weight. */
  readonly summary: string | readonly string[]
  /** Said in brackets at the end where one segment has room for it. */
  readonly detail?: readonly string[]
}

const SENTENCE_END = /[.!?](?=\s)/g
/** Units of a reason that stand beside a name: about two segments. */
const SUMMARY_LENGTH_MAX = 300

/**
 * `STATE what: summary (detail)`, nothing said twice, in one segment where the reason's first sentence
 * allows.
 */
export function composeReport(report: Report): string {
  const lines = (typeof report.summary === 'string' ? [report.summary] : report.summary).map(line =>
    withoutLabel(withoutLink(oneLine(line), report.what), report.what),
  )
  let what = oneLine(report.what).replace(/[.:,;]$/, '')
  const summary = lines.filter(line => line !== '' && (!says(what, line) || isRaw(what, line)))
  if (summary.some((line, index) => index < 2 && names(line, what))) what = ''
  if (what !== '') what = withoutEnd(withoutWord(what, report.state), report.state)
  else if (summary[0] !== undefined) summary[0] = withoutWord(summary[0], report.state)
  const head = [report.state, what].filter(part => part !== '').join(' ')
  const text = appendSummary(head, summary, what !== '')
  return appendDetails(text, report.detail ?? [])
}

function appendSummary(head: string, summary: readonly string[], named: boolean): string {
  const [first, ...more] = summary
  if (first === undefined) return head
  const sign = !named ? '' : head.includes(': ') ? ' -' : ':'
  const join = (tail: string): string => (head === '' ? tail : `${head}${sign} ${tail}`)
  if (!named) return more.reduce((text, line) => `${endSentence(text)} ${line}`, join(first))
  let text = join(first)
  if (!isShort(text)) return join(firstSentences(first, tail => isShort(join(tail))))
  for (const line of more) {
    const longer = `${endSentence(text)} ${line}`
    if (!isShort(longer)) break
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

/** "Backup failed" after FAILED is the backup; "has failed" is a sentence and stays one. */
function withoutEnd(text: string, state: string): string {
  if (state !== 'FAILED' || /\b(?:has|have|had|was|is|been|not|it) failed$/i.test(text)) return text
  return text.replace(/(?<=\w) failed$/i, '')
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
  if (chosen.length <= SUMMARY_LENGTH_MAX) return chosen
  const cut = chosen.lastIndexOf(' ', SUMMARY_LENGTH_MAX)
  return `${chosen.slice(0, cut > 0 ? cut : SUMMARY_LENGTH_MAX)}...`
}

function appendDetails(text: string, details: readonly string[]): string {
  const kept: string[] = []
  for (const detail of details.map(oneLine)) {
    if (detail === '' || says(text, detail)) continue
    if (!isShort(`${text} (${[...kept, detail].join(', ')})`)) continue
    kept.push(detail)
  }
  return kept.length === 0 ? text : `${text} (${kept.join(', ')})`
}

/** Whether a text already holds the words of a part, whole words in their order. */
export function says(text: string, part: string): boolean {
  const words = wordsOf(part)
  return words.trim() === '' || wordsOf(text).includes(words)
}

function endSentence(text: string): string {
  return /[.!?:;,]$/.test(text) ? text : `${text}.`
}
