import { ALERT_VALUE_LENGTH_MAX } from '#contracts/bounds.ts'
import type { Scopes } from '#domain/alert/read/find-fields.ts'
import { isObject, type Json, type JsonObject, recordOf } from '#domain/alert/read/json-value.ts'
import { scalarOf } from '#domain/alert/read/scalar-of.ts'
import { cleanLine } from '#domain/alert/text/clean-text.ts'
import { readHeadline } from '#domain/alert/text/headline.ts'
import { isDatedLine, isNote, linesOfLetter } from '#domain/alert/text/letter.ts'
import { readState } from '#domain/alert/vocabulary/states.ts'

/** `Key: value` or `Key = value`. A time or an address has no space after the colon. */
const KEY_LINE = /^[ \t>*-]*([\p{L}][\p{L}\p{N} ._/()-]{0,39}?)[ \t*]*(?::[ \t*]+|[ \t]=[ \t])(\S.*)$/u
/** `[Details]`, whose value is the next line. */
const BRACKETED_NAME = /^\[([\p{L}][\p{L} ]{1,20})\]$/u
/** A value that is a link in Slack's form, with its label. */
const SLACK_LINK = /^<https?:[^<>|\s]*\|([^<>|]+)>$/
const KEY_LINES_MIN = 3
type KeyLines = readonly (readonly [key: string, value: string])[]
/** If every line is a `Key: value` line and one line has one of these keys, two lines are enough. */
export const REASON_KEY = /^(?:message|error|reason)$/i

export function matchKeyLine(line: string): RegExpExecArray | null {
  const match = KEY_LINE.exec(line.slice(0, 512))
  const name = match?.[1] ?? ''
  // A colon within brackets ends no name: `Disks (limit: 80 %)`.
  const isOpen = name.lastIndexOf('(') > name.lastIndexOf(')')
  return isOpen || name.includes(' - ') ? null : match
}

/**
 * The fields of a text made of `Key: value` lines (Zabbix, Nagios, Monit), and the other lines as `rest`.
 * `null` for prose: too few such lines, or more lines of other kinds.
 */
function readKeyLines(text: string): { fields: KeyLines; rest: readonly string[] } | null {
  const lines = text
    .slice(0, ALERT_VALUE_LENGTH_MAX)
    .split(/[\r\n]+/)
    .map(line => line.trim().replace('：', ': '))
    .filter(line => /[\p{L}\p{N}]/u.test(line))
  const fields = new Map<string, string>()
  const rest: string[] = []
  /** A key that stands alone on the line before; its value is the next line. */
  let pending = ''
  let isBracketed = false
  /** Fields that say nothing to a reader. */
  let left = 0
  for (const given of linesOfLetter(lines).slice(0, 128)) {
    const line = given.replace(BRACKETED_NAME, '$1:')
    if (isDatedLine(line) || isCode(line)) left += 1
    if (isNote(line) || isDatedLine(line) || isCode(line)) continue
    if (matchKeyLine(line) !== null && !isBracketed) pending = ''
    const match = matchKeyLine(pending === '' ? line : `${pending} ${line.trim()}`)
    pending = match === null && /^[\p{L}][\p{L} /]{2,30}:\s*$/u.test(line) ? line.trim() : ''
    isBracketed = pending !== '' && line !== given
    if (pending !== '') {
      // At the start of the text, such a line may also be a headline.
      if (rest.length === 0 && fields.size === 0) rest.push(line)
      continue
    }
    const [, key = '', value = ''] = match ?? []
    if (match === null || fields.has(key)) rest.push(line)
    else fields.set(key, value.replace(SLACK_LINK, '$1'))
  }
  const hasReason = rest.length === 0 && [...fields.keys()].some(key => REASON_KEY.test(key))
  const size = fields.size + left
  if (size < (hasReason ? 2 : KEY_LINES_MIN) || size < rest.length) return null
  return { fields: [...fields], rest }
}

/** The name of a line with a sentence about what happened. */
const MESSAGE_KEY = /^(?:alarm|alert|event|error|status|problem) (?:message|text|description)$/i

/** `Incident: inc-9f2c41`, which names nothing that a reader knows. */
function isCode(line: string): boolean {
  return /^(?:alert|event|incident|ticket|case|request|message)(?: ?id)?: ?(?=\S*\d)[\w-]{4,40}$/i.test(line)
}

/** An emoji, or its name, before a headline. */
const LEADING_PICTURE = /^(\s{0,8}(?:#{1,6} )?)(?:(?:\p{Extended_Pictographic}|\ufe0f){1,4} ?|:\w{2,30}: ?)/u

function isHeadline(line: string): boolean {
  return (
    /^\s*(?:#{1,6} |\*{1,2}(?=\p{L}))?[\p{L}\p{N}[]/u.test(line.replace(LEADING_PICTURE, '$1')) &&
    !/^\s*(?:this (?:message|e-?mail)|the following)/i.test(line)
  )
}

/** A body whose message was a list of `Key: value` lines. */
export interface Spread {
  /** The body with these lines as fields, which are then found as fields of JSON are. */
  readonly value: JsonObject
  readonly lines: KeyLines
  /** The lines of other kinds, without the headline. */
  readonly rest: readonly string[]
  /** Whether the body has a title of its own, so that no line became the headline. */
  readonly isTitled: boolean
}

/** Replaces a message of `Key: value` lines by fields. `null` if the message is no such list. */
export function spreadKeyLines(value: Json, scopes: Scopes): Spread | null {
  if (!isObject(value)) return null
  for (const name of ['message', 'text', 'body', 'msg', 'description', 'content', 'alertmessage']) {
    const text = scopes[0]?.get(name)
    const read = typeof text === 'string' ? readKeyLines(scalarOf(text)) : null
    if (read === null) continue
    const others = Object.entries(value).filter(([, field]) => field !== text)
    const isTitled = others.some(
      ([key, field]) => /^(?:title|(?:alert_?)?subject)$/i.test(key) && field !== '',
    )
    const first = isTitled ? undefined : read.rest.find(isHeadline)
    const headline = first?.replace(/:\s*$/, '') ?? ''
    const message = read.fields.find(([key]) => MESSAGE_KEY.test(key))
    const spread = recordOf([
      ...read.fields,
      ...(message === undefined ? [] : [['message', message[1]] as const]),
      ...others.filter(([key]) => key !== 'title' || isTitled),
      ...(isTitled ? [] : [[headlineKey(headline), headline] as const]),
    ])
    return { value: spread, lines: read.fields, rest: read.rest.filter(line => line !== first), isTitled }
  }
  return null
}

/**
 * The field for a headline. A headline that begins with a state becomes the title, because it says more than
 * any name in the lines below it.
 */
function headlineKey(headline: string): 'title' | 'headline' | 'status' {
  const word = cleanLine(headline)
  if (!word.includes(' ') && readState(word) !== null) return 'status'
  return headline.startsWith('[') && readHeadline(headline).stated ? 'title' : 'headline'
}
