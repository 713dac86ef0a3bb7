import { isObject, type Json, type JsonObject, recordOf } from '#domain/alert/read/json-value.ts'
import { parseNestedJson } from '#domain/alert/read/parse-json-loosely.ts'

/** Characters of base64: no alert that a person reads is longer. */
const DATA_LENGTH_MAX = 65_536
/** A JSON object in base64 as the data of a message, as Google's Pub/Sub and other queues send it. */
const ENCODED = new RegExp(`"data"\\s{0,8}:\\s{0,8}"(e[wy][\\w+/-]{8,${DATA_LENGTH_MAX}}={0,2})"`)

/** Puts the object itself in the place of its base64 in the text of a body, which is removed otherwise. */
export function openData(text: string): string {
  const found = ENCODED.exec(text)
  const inner = found === null ? null : decode(found[1] ?? '')
  if (found === null || inner === null || objectIn(inner) === null) return text
  return `${text.slice(0, found.index)}"data":${inner}${text.slice(found.index + found[0].length)}`
}

/** The same for a parsed body. */
export function withOpenData(value: Json): Json {
  const message = isObject(value) ? (value['message'] ?? null) : null
  const data = isObject(message) ? message['data'] : null
  if (!isObject(value) || !isObject(message) || typeof data !== 'string') return value
  const isEncoded = data.length <= DATA_LENGTH_MAX && /^e[wy]/.test(data)
  const inner = isEncoded ? objectIn(decode(data)) : null
  return inner === null ? value : replaced(value, 'message', replaced(message, 'data', inner))
}

function replaced(object: JsonObject, name: string, field: Json): JsonObject {
  return recordOf(Object.entries(object).map(([key, old]) => [key, key === name ? field : old]))
}

function decode(base64: string): string {
  return Buffer.from(base64, 'base64').toString().trim()
}

function objectIn(text: string): JsonObject | null {
  const value = parseNestedJson(text)
  return isObject(value) ? value : null
}
