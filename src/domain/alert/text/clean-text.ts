import { ALERT_VALUE_LENGTH_MAX } from '#contracts/bounds.ts'
import { joinedLine } from '#domain/alert/text/cut-text.ts'
import { foldText } from '#domain/alert/text/fold-text.ts'
import { isDatedLine, isNote, linesOfLetter, withoutLeadIn, withoutTimes } from '#domain/alert/text/letter.ts'
import { stripMarkup } from '#domain/alert/text/strip-markup.ts'

/** Emoji with their modifiers, dingbats, shapes, and the private use area (icon fonts). */
const PICTURES = new RegExp(
  `[${[
    '\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\p{Regional_Indicator}\\p{Variation_Selector}',
    '\\p{Co}\\u2300-\\u23ff\\u2500-\\u27bf\\u{e0020}-\\u{e007f}',
  ].join('')}]+|\\u20e3`,
  'gu',
)

/** A certificate, a key or a request for one. */
const KEY_BLOCK = /-----BEGIN [A-Z ]{1,40}-----[^-]{0,8192}-----END [A-Z ]{1,40}-----/g
/** The stack of a Python traceback. The exception follows it. */
const STACK = /^[ \t]*Traceback \(most recent call last\):\n(?:[ \t][^\n]*\n)+/gm
/** Longest output of the command `ping` that is looked for. */
const PING_LENGTH_MAX = 4096
const PING_LOSS = /^[^\n%]{0,80}?(\d{1,3}(?:\.\d{1,6})?%) packet loss(?:, time \d{1,9} ?ms)?/
/** The time at the start of a line of a log. */
const LEADING_TIME = new RegExp(
  '^\\[?(?:\\d{4}-\\d\\d-\\d\\d[T ]|\\d\\d?[/-]\\d\\d?(?:[/-]\\d{2,4})?,? )?' +
    '(?:(?<=\\d{4}-\\d\\d-\\d\\d[T ])\\d\\d:\\d\\d|\\d\\d:\\d\\d:\\d\\d(?:[.,]\\d{1,9})?)' +
    '(?: ?(?:Z|UTC|[+-]\\d\\d:?\\d\\d))?\\]?[ :,-]{1,3}' +
    '(?:(?:Notice|Informational|Debug) (?=\\p{Lu}))?(?=\\p{L})',
  'u',
)
/** `EVENT (26 Nov 03:12): ` */
const DATED_LABEL = /^(?:event|alert|alarm|message) \([^()]{0,20}\d:\d\d[^()]{0,12}\): /i
const URL_ALONE = /^(?:[\p{L} ]{1,24}: ?)?(?:https?|mailto):\S+$/iu
/** Lines that say nothing about the alert: greetings, introductions, times, links to more. */
const BOILERPLATE = new RegExp(
  [
    '^this (?:message|e-?mail|mail|is an? (?:automatic|system))',
    '^this is an? (?:\\w+ ){0,3}(?:notification|message|e-?mail|reminder)\\b',
    '^this is an alert from\\b',
    '^you have (?:an?|one|\\d{1,3}) (?:new )?(?:alert|notification|message)s?\\b.{0,60}$',
    '^the following\\b(?!.*\\bcleared\\b).*:$',
    '^(?:time|date|timestamp|when|generated|reported|triggered|(?:start|open|event|alert|sent|end) ?' +
      '(?:time|date|at|on))\\b[^:]{0,20}: ?(?:\\w{3,9},? )?\\w{0,9} ?(?=\\d(?!\\d{0,5} \\p{Ll}{4}))\\d',
    '^(?:alert|message|report|notification|e-?mail) (?:was )?(?:generated|sent|created) (?:at|on|by)\\b',
    '^(?:event|alert|message|error|incident|ticket) ?(?:id|no|number) ?[:#] ?[\\w-]{1,40}$',
    '^(?:(?:[\\w-]+ ){0,2}(?:summary|report)|alert|alarm|warning|notification|event|details?' +
      '|sent by [\\w .-]{1,40})[.!:]?$',
    // An introduction that says nothing yet.
    '\\b(?:found|detected|issued|reported|has|have) the following\\b[^.]{0,100}[.:]$',
    'requires your attention\\.$',
    '^an? (?:new )?(?:alert|alarm|event|incident) (?:was|has been|is) ' +
      '(?:opened|issued|raised|triggered)\\b.*:$',
    '^(?:you (?:can|may) |view |see |click |log ?in (?!\\S*(?:fail|attempt|err|from|block))|go to ' +
      '|to (?:view|see|stop|manage|unsubscribe))' +
      '\\b.{0,80}$',
    // A date alone.
    '^(?:\\w{3,9},? )?(?:\\d{4}[-/. ]\\w{2,9}[-/. ]\\d{1,2}|\\d{1,2}[-/. ]\\w{2,9}[-/. ]\\d{2,4}' +
      '|[a-z]{3,9} \\d{1,2},? \\d{4})' +
      '[ ,t]*(?:\\d{1,2}:\\d\\d(?::\\d\\d(?:\\.\\d{1,9})?)?)?' +
      '(?: ?(?:[ap]m|utc|gmt|z|[+-]\\d{4}|cest?)){0,2}\\.?$',
    '^(?:please (?:check|visit|contact|review|refer|log)|bitte (?:wenden|prüfen|kontrollieren))\\b.{0,80}$',
    '^(?:for (?:more|further) (?:details?|information)|for details see|please visit)\\b',
    '^from [\\w.-]{1,40}$',
    '^message from [\\p{L}\\d .@*-]{2,60}\\.?$',
    // A heading between rules: `=== Full status ===`.
    '^([-=*#~])\\1{2,} .{1,80} \\1{3,}$',
    '^labels ?[:=] ?(?:map\\[|\\{)|^\\(none\\)$',
    // Datadog's last line.
    '^\\[monitor status\\]',
    '^-+> ?[a-z]+ \\d\\d:\\d\\d',
    // A call in the stack of a Java or JavaScript exception, and Python's words between two exceptions.
    '^at \\S{1,200} ?\\([^()]*\\)$',
    '^(?:during handling of the above exception|the above exception was the direct cause)\\b',
  ].join('|'),
  'iu',
)
/** Whether a line says nothing about the alert. */
export function saysNothing(line: string): boolean {
  return BOILERPLATE.test(line) || isNote(line) || isDatedLine(line)
}

/** Parts of a line to leave out: where to read more, mentions of chat services, label lists, a final time. */
const NOISE = new RegExp(
  [
    '(?<=[.!?]) from [\\w.-]{1,40}$',
    '(?<=[.!?]) for more (?:details?|information)\\b[^.\\n]*(?:\\.(?=\\s|$)|$)',
    '(?:^| )@(?:webhook|slack|pagerduty|opsgenie|teams|victorops)-[\\w-]+',
    // Datadog's last sentence.
    ' ?The monitor was last triggered at [^.\\n]*\\.',
    ' with metric labels \\{[^{}\\n]*\\}',
    ' at \\d{4}-\\d\\d-\\d\\d[t ]\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?(?: ?(?:z|utc|[+-]\\d\\d:?\\d\\d)){0,2}$',
  ].join('|'),
  'gim',
)
/** A line that only separates others. */
const SEPARATOR = /^[-=_*#~+|: ]{3,}$/
const URL = /\bhttps?:\/\/\S+/gi
const TRACKED = /[?&](?:utm_\w+|mc_[ce]id|fbclid|gclid|msclkid|igshid|_hs\w+)=/i
const URL_LENGTH_KEPT = 60

/** A text without markup and emoji, and with signs outside GSM-7 replaced (`foldText`). Line breaks stay. */
export function cleanText(text: string): string {
  const bounded = text.slice(0, ALERT_VALUE_LENGTH_MAX)
  const words = stripMarkup(
    shortenPing(bounded)
      .replace(/\r\n?|\u2028|\u2029/g, '\n')
      .replace(STACK, ''),
  )
  return (
    foldText(words)
      .replace(PICTURES, '')
      .replace(/(^|\s)\[\] ?/gm, '$1')
      .replace(URL, shortenUrl)
      .replace(/\t/g, ' ')
      .replace(/(?!\n)[\p{Cc}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]/gu, '')
      // Checkmk marks a value above a threshold: `(!)` for warning, `(!!)` for critical.
      .replace(/ ?\(!{1,2}\)/g, '')
      .replace(/<no value>/g, '?')
      .replace(NOISE, '')
      .replace(KEY_BLOCK, '')
      // What a mail server said, wrapped as in a mail that could not be delivered.
      .replace(/( said: [45]\d\d [^\n]{1,200})\n {2,8}(?=\S)/g, '$1 ')
      // Container tools name the images before and after an update by their hashes.
      .replace(/\b[\da-f]{12,64} updated to [\da-f]{12,64}\b/g, 'updated')
      .replace(/ \((?:sha256:)?(?=[a-f]*\d)[\da-f]{12,64}\)/g, '')
      .replace(/\[ +/g, '[')
      .replace(/ {2,}/g, ' ')
      .trim()
  )
}

/** Leaves only the share of lost packets of what the command `ping` prints. */
function shortenPing(text: string): string {
  const start = text.indexOf('PING ')
  const end = start < 0 ? -1 : text.indexOf(' packets transmitted', start)
  const loss = end < 0 || end - start > PING_LENGTH_MAX ? null : PING_LOSS.exec(text.slice(end, end + 200))
  if (loss === null) return text
  return `${text.slice(0, start)}${loss[1]} packet loss${text.slice(end + loss[0].length)}`
}

/** The lines worth reading: without separators and repeats, and without bare links if there is more. */
export function linesOf(text: string): readonly string[] {
  const known = LINES.get(text)
  if (known !== undefined) return known
  if (LINES.size >= LINES_KEPT_MAX) LINES.clear()
  const lines = readLines(text)
  LINES.set(text, lines)
  return lines
}
/** The lines of the texts of the alert that is being read: its readers ask for those of a few texts often. */
const LINES = new Map<string, readonly string[]>()
const LINES_KEPT_MAX = 500

/** Forgets the lines of the last alert, so that a thread never holds the texts of more than one. */
export function forgetLines(): void {
  LINES.clear()
}

function readLines(text: string): readonly string[] {
  const all = withoutSignature(withoutTimes(cleanText(text)).split('\n'))
    .map(line =>
      line
        .replace(/^ *[-*+] (?=[^\s*])/, '- ')
        .replace(LEADING_TIME, '')
        .replace(DATED_LABEL, '')
        .replace(/^\*+ (?=\p{L})| \*+$/gu, '')
        .replace(/ [[(]$/, '')
        .trim(),
    )
    .filter(line => /[\p{L}\p{N}]/u.test(line) && !SEPARATOR.test(line))
  return joinLabels(withoutRepeats(linesOfLetter(all).map(withoutLeadIn).map(joinCells)))
}

/** The lines above the two dashes that mark the signature of a mail. */
function withoutSignature(lines: readonly string[]): readonly string[] {
  const end = lines.findIndex((line, at) => at > 0 && /^-- ?$/.test(line))
  return end < 0 ? lines : lines.slice(0, end)
}

/** A line of more words that ends in a colon introduces what follows. */
const LABEL_WORDS_MAX = 4

/** Joins a line that ends in a colon with the next one. A last line that ends in a colon is dropped. */
function joinLabels(all: readonly string[]): readonly string[] {
  const lines: string[] = []
  let label = ''
  for (const line of all) {
    // What stands below an empty field is another field.
    const isField = /^\p{L}+ [\p{L} ]{2,30}: \S.{0,30}$/u.test(line) && /^\p{L}+ [\p{L} ]+:$/u.test(label)
    const text = label === '' || isField ? line : `${label} ${line.replace(/^- /, '')}`
    label = line.endsWith(':') && line.length <= 40 && line.split(' ').length <= LABEL_WORDS_MAX ? text : ''
    if (label === '') lines.push(text)
  }
  const kept = lines.filter((line, index) => index < lines.length - 1 || !line.endsWith(':'))
  return kept.length > 0 ? kept : all
}

/** A row of a Markdown table, its cells joined by spaces. */
function joinCells(line: string): string {
  if (!/^\|.*\|$/.test(line)) return line
  return line
    .split('|')
    .map(cell => cell.trim())
    .filter(cell => cell !== '')
    .join(' ')
}

/**
 * Drops repeated lines. Also drops bare links and lines that say nothing, unless nothing else is left. A link
 * that stands first is kept, because the other lines are about it.
 */
function withoutRepeats(all: readonly string[]): readonly string[] {
  const seen = new Set<string>()
  const unique = all.filter(line => {
    const key = wordsOf(line)
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
  const prose = unique.filter(
    (line, index) => (index === 0 && /^https?:/i.test(line)) || (!URL_ALONE.test(line) && !saysNothing(line)),
  )
  return prose.length > 0 ? prose : unique
}

/** Joins lines to sentences. A sentence that was wrapped over several lines becomes one again. */
export function joinLines(lines: readonly string[]): string {
  let text = ''
  for (const line of lines) {
    const bare = line.replace(/^- /, '')
    if (text === '') text = bare
    else if (/[.!?:;,(-]$/.test(text) || (line === bare && /^[\p{Ll}(]/u.test(line))) text += ` ${bare}`
    else text += `. ${bare}`
  }
  return joinedLine(text)
}

/** A text on one line, cleaned: the lines worth reading, joined to sentences. */
export function cleanLine(text: string): string {
  return joinLines(linesOf(text))
}

/**
 * The words of a text in lower case, with a space around each, to compare texts by words. The end of a long
 * text is left out.
 */
export function wordsOf(text: string): string {
  return ` ${text
    .slice(0, ALERT_VALUE_LENGTH_MAX)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `
}

/** Whether a text contains the words of another one, as whole words and in the same order. */
export function mentions(text: string, part: string): boolean {
  const words = wordsOf(part)
  return words.trim() === '' || wordsOf(text).includes(words)
}

/** Removes tracking parameters from a link. A link that is still long is cut to its host. */
function shortenUrl(url: string): string {
  const end = /[).,;:!?'"\]}>]*$/.exec(url.slice(-8))?.[0] ?? ''
  const bare = url.slice(0, url.length - end.length)
  const plain = TRACKED.test(bare) ? bare.replace(/[?#].*$/, '') : bare
  if (plain.length <= URL_LENGTH_KEPT) return plain + end
  return plain.replace(/^(https?:\/\/[^/?#]+).*$/i, '$1') + end
}
