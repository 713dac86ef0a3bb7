import { isObject, type Json, type JsonObject, objectsOf, recordOf } from '#domain/alert/read/json-value.ts'
import { parseNestedJson } from '#domain/alert/read/parse-json-loosely.ts'
import { readPairs } from '#domain/alert/read/read-pairs.ts'

const ENVELOPE_TEXTS = ['Message', 'message', 'payload', 'Payload', 'body', 'data'] as const
/**
 * Names of fields that contain the whole alert if they are the only field, in forms of Slack and Uptime
 * Kuma.
 */
const SOLE_FIELDS: readonly string[] = ['payload', 'data']
/** Pairs without such a field are measured values, which stay as they are. */
const LOG_TEXT = /^(?:msg|message|err|error|logdesc|reason)$/i
const ENVELOPES_MAX = 3
/** Among more lines, one of a log is a part of the text. */
const LINES_MAX = 6

/**
 * Takes the alert out of its envelope: JSON as text in a message field (SNS, queues, relays), or the object
 * in the only field of a form. The envelope's other fields are added after the alert's own.
 */
export function unwrapPayload(value: Json): Json {
  let inner = value
  for (let count = 0; count < ENVELOPES_MAX && isObject(inner); count += 1) {
    const found = innerOf(inner)
    if (found === null) return withPairs(inner)
    inner = isObject(found) ? recordOf([...Object.entries(found), ...outerFields(inner, found)]) : found
  }
  return inner
}

/** A body whose only text is a line of a log, with the fields of that line. */
function withPairs(value: JsonObject): JsonObject {
  for (const key of [...ENVELOPE_TEXTS, 'text']) {
    const text = value[key]
    const pairs = typeof text === 'string' ? pairsIn(text) : null
    if (pairs === null || !Object.keys(pairs).some(name => LOG_TEXT.test(name))) continue
    const others = Object.entries(value).filter(([name]) => name !== key && !Object.hasOwn(pairs, name))
    return recordOf([...Object.entries(pairs), ...others])
  }
  return value
}

/** The pairs of a line of a log, which may stand below other lines. */
function pairsIn(text: string): JsonObject | null {
  const lines = text.split('\n', LINES_MAX)
  return lines.length < LINES_MAX ? (lines.map(readPairs).find(pairs => pairs !== null) ?? null) : null
}

/** The alert inside this object. Null: the object is not an envelope. */
function innerOf(value: JsonObject): Json | null {
  for (const key of ENVELOPE_TEXTS) {
    const text = openString(value[key] ?? null)
    if (typeof text === 'string' && /^\s*[{[]/.test(text)) {
      const parsed = parseNestedJson(text.trim())
      if (isObject(parsed) || objectsOf(parsed).length > 0) return parsed ?? null
    }
  }
  const message = value['message']
  const data = isObject(message) ? (message['data'] ?? null) : null
  if (isObject(data)) return data
  const [name = '', ...others] = Object.keys(value)
  if (others.length > 0) return null
  const field = value[name]
  return SOLE_FIELDS.includes(name) && isObject(field) ? field : null
}

/** A text that programs have quoted as JSON once more, some of them several times. */
export function openString(value: Json): Json {
  let text = value
  for (let count = 0; count < ENVELOPES_MAX && typeof text === 'string' && /^\s*"/.test(text); count += 1) {
    const inner = parseNestedJson(text.trim())
    if (typeof inner !== 'string') break
    text = inner
  }
  return text
}

function outerFields(outer: JsonObject, inner: JsonObject): readonly [string, Json][] {
  const texts: readonly string[] = ENVELOPE_TEXTS
  return Object.entries(outer).filter(([key]) => !texts.includes(key) && !Object.hasOwn(inner, key))
}
