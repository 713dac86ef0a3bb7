import { jsonrepair } from 'jsonrepair'
import { JSON_DEPTH_MAX } from '#contracts/bounds.ts'
import { type Json, pruneJson } from '#domain/alert/read/json-value.ts'

/**
 * `{` before a key or `}`, or `[` before a quote, a bracket or a brace. "[nas] is down" is not JSON.
 */
const LOOKS_LIKE_JSON = /^(?:\{\s*(?:["'}]|[A-Za-z_][\w.-]*\s*:)|\[\s*[[{"\]])/

/** Lists in lists of which `pruneJson` would leave nothing. A million of them take long to parse. */
const TOO_DEEP = new RegExp(`^\\s*\\[{${JSON_DEPTH_MAX + 1}}`)

/** Lists and objects of a body that is parsed. No alert has as many, and each takes time. */
const NODES_MAX = 16_384

/** Longest invalid JSON that is repaired, characters and quotes: repair can take quadratic time. */
const REPAIR_LENGTH_MAX = 2048
const REPAIR_QUOTES_MAX = 256

/**
 * Parses JSON, including JSON broken by a sender's template: raw line breaks in strings, trailing commas,
 * unescaped quotes, a missing end. Returns `undefined` for a text that is not JSON. Never throws. Only a
 * beginning of `REPAIR_LENGTH_MAX` characters is repaired. Call it once for a request, because repair takes
 * long; JSON inside a value is read by `parseNestedJson`.
 */
export function parseJsonLoosely(text: string): Json | undefined {
  const parsed = parseNestedJson(text)
  if (parsed !== undefined || !LOOKS_LIKE_JSON.test(text)) return parsed
  const head = headToRepair(escapeInvalid(withPaths(text).slice(0, REPAIR_LENGTH_MAX)))
  if (nestsTooDeep(head)) return undefined
  try {
    const repaired = parse(jsonrepair(head))
    if (typeof repaired !== 'object' || repaired === null) return undefined
    if (head.length < text.length) beginnings.add(repaired)
    return repaired
  } catch {
    return undefined
  }
}

const beginnings = new WeakSet<object>()

/** Whether a value that `parseJsonLoosely` returned is only the beginning of its text. */
export function isBeginning(value: Json): boolean {
  return typeof value === 'object' && value !== null && beginnings.has(value)
}

/** Parses JSON with raw control characters in its strings; `undefined`: it is not JSON. Never throws. */
export function parseNestedJson(given: string): Json | undefined {
  const text = withPaths(given)
  const exact = parse(text)
  if (exact !== undefined || !LOOKS_LIKE_JSON.test(text)) return exact
  const escaped = /[\p{Cc}\\]/u.test(text) ? escapeInvalid(text) : text
  return escaped === text ? undefined : parse(escaped)
}

function headToRepair(text: string): string {
  let at = -1
  for (let quotes = 0; quotes < REPAIR_QUOTES_MAX; quotes += 1) {
    at = text.indexOf('"', at + 1)
    if (at === -1) return text.slice(0, REPAIR_LENGTH_MAX)
  }
  return text.slice(0, at + 1)
}

function parse(text: string): Json | undefined {
  // JSON without its closing bracket is invalid: no need to parse the whole text.
  if (/^\s*\{/.test(text) && !text.trimEnd().endsWith('}')) return undefined
  if (/^\s*\[/.test(text) && !text.trimEnd().endsWith(']')) return undefined
  if (TOO_DEEP.test(text)) return []
  const nodes = countNodes(text)
  if (nodes > NODES_MAX) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return nodes <= JSON_DEPTH_MAX ? (value as Json) : pruneJson(value)
  } catch {
    return undefined
  }
}

/** How many lists and objects a text has at most, or a number above `NODES_MAX`. */
function countNodes(text: string): number {
  let nodes = 0
  for (let at = 0; at < text.length && nodes <= NODES_MAX; at += 1) {
    const code = text.charCodeAt(at)
    if (code === BRACKET || code === BRACE) nodes += 1
  }
  return nodes
}

const BRACKET = 0x5b
const BRACE = 0x7b
const QUOTE = 0x22
const BACKSLASH = 0x5c
const SPACE = 0x20
const ESCAPES = Array.from({ length: SPACE }, (_, code) => `\\u${code.toString(16).padStart(4, '0')}`)

/**
 * A path of Windows whose backslashes a template did not double. `C:\n` is rather the end of a line.
 */
const PATH = /(?<![A-Za-z])[A-Za-z]:\\(?![\\"/nr]|u[\dA-Fa-f]{4})[^"\s]*/g
/** Templates write short bodies, and each path takes time. */
const PATHS_LENGTH_MAX = 65_536

function withPaths(text: string): string {
  if (text.length > PATHS_LENGTH_MAX || !text.includes(':\\')) return text
  return text.replace(PATH, path => path.replace(/\\+/g, run => (run.length === 1 ? '\\\\' : run)))
}

/**
 * Escapes control characters inside strings, and backslashes that escape nothing. Between values they are
 * white space or an error.
 */
function escapeInvalid(text: string): string {
  let escaped = ''
  let from = 0
  let inString = false
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) inString = !inString
    else if (code === BACKSLASH && inString) {
      if (!/["\\/bfnrtu]/.test(text.charAt(at + 1))) {
        escaped += `${text.slice(from, at)}\\`
        from = at
      }
      at += 1
    } else if (code < SPACE && inString) {
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
