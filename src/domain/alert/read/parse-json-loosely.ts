import { jsonrepair } from 'jsonrepair'
import { JSON_DEPTH_MAX, JSON_MEND_LENGTH_MAX } from '#contracts/bounds.ts'
import { type Json, pruneJson } from '#domain/alert/read/json-value.ts'

/**
 * `{` before a key or its end, `[` before a value that is surely meant as JSON: "[nas] is down" is a
 * text.
 */
const LOOKS_LIKE_JSON = /^(?:\{\s*(?:["'}]|[A-Za-z_][\w.-]*\s*:)|\[\s*[[{"\]])/

/**
 * Parses JSON, also such as templates of alert senders break it: raw newlines in strings, trailing commas,
 * unescaped quotes, a missing end. Answers `undefined` for a text that is not JSON at all.
 * Never throws. Mending looks at the first `JSON_MEND_LENGTH_MAX` characters only.
 */
export function parseJsonLoosely(text: string): Json | undefined {
  const exact = parse(text)
  if (exact !== undefined) return exact
  if (!LOOKS_LIKE_JSON.test(text)) return undefined
  const escaped = escapeControlCharacters(text)
  const parsed = escaped === text ? undefined : parse(escaped)
  if (parsed !== undefined) return parsed
  const head = escaped.slice(0, JSON_MEND_LENGTH_MAX)
  if (nestsTooDeep(head)) return undefined
  try {
    const mended = parse(jsonrepair(head))
    return typeof mended === 'object' && mended !== null ? mended : undefined
  } catch {
    return undefined
  }
}

function parse(text: string): Json | undefined {
  // What is not closed cannot be valid: the parser would read all of it, level by level, to say so.
  if (/^\s*\{/.test(text) && !text.trimEnd().endsWith('}')) return undefined
  if (/^\s*\[/.test(text) && !text.trimEnd().endsWith(']')) return undefined
  try {
    return pruneJson(JSON.parse(text))
  } catch {
    return undefined
  }
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const SPACE = 0x20
const ESCAPES = Array.from({ length: SPACE }, (_, code) => `\\u${code.toString(16).padStart(4, '0')}`)

/**
 * Escapes control characters inside strings, in one pass; those between values are white space or an
 * error.
 */
function escapeControlCharacters(text: string): string {
  let escaped = ''
  let from = 0
  let inString = false
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) inString = !inString
    else if (code === BACKSLASH && inString) at += 1
    else if (code < SPACE && inString) {
      if (at > from) escaped += text.slice(from, at)
      escaped += ESCAPES[code]
      from = at + 1
    }
  }
  return escaped + text.slice(from)
}

/** The mender calls itself once a level. */
function nestsTooDeep(text: string): boolean {
  let depth = 0
  for (const character of text) {
    if (character === '{' || character === '[') depth += 1
    else if (character === '}' || character === ']') depth -= 1
    if (depth > JSON_DEPTH_MAX) return true
  }
  return false
}
