import { jsonrepair } from 'jsonrepair'
import { JSON_DEPTH_MAX, JSON_REPAIR_LENGTH_MAX } from '#contracts/bounds.ts'
import { type Json, pruneJson } from '#domain/alert/read/json-value.ts'

/**
 * `{` before a key or `}`, or `[` before a quote, a bracket or a brace. "[nas] is down" is not JSON.
 */
const LOOKS_LIKE_JSON = /^(?:\{\s*(?:["'}]|[A-Za-z_][\w.-]*\s*:)|\[\s*[[{"\]])/

/**
 * Parses JSON, including JSON broken by a sender's template: raw line breaks in strings, trailing commas,
 * unescaped quotes, a missing end. Returns `undefined` for a text that is not JSON. Never throws. Only the
 * first `JSON_REPAIR_LENGTH_MAX` characters are repaired.
 */
export function parseJsonLoosely(text: string): Json | undefined {
  const exact = parse(text)
  if (exact !== undefined) return exact
  if (!LOOKS_LIKE_JSON.test(text)) return undefined
  const escaped = escapeControlCharacters(text)
  const parsed = escaped === text ? undefined : parse(escaped)
  if (parsed !== undefined) return parsed
  const head = escaped.slice(0, JSON_REPAIR_LENGTH_MAX)
  if (nestsTooDeep(head)) return undefined
  try {
    const repaired = parse(jsonrepair(head))
    return typeof repaired === 'object' && repaired !== null ? repaired : undefined
  } catch {
    return undefined
  }
}

function parse(text: string): Json | undefined {
  // JSON without its closing bracket is invalid: no need to parse the whole text.
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

/** Escapes control characters inside strings. Between values they are white space or an error. */
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

/** The library that repairs JSON recurses once per level, so the depth is limited. */
function nestsTooDeep(text: string): boolean {
  let depth = 0
  for (const character of text) {
    if (character === '{' || character === '[') depth += 1
    else if (character === '}' || character === ']') depth -= 1
    if (depth > JSON_DEPTH_MAX) return true
  }
  return false
}
