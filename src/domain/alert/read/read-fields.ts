import { decodeField, make } from 'multipasta'
import { ALERT_FIELDS_MAX } from '#contracts/bounds.ts'
import { dropBase64 } from '#domain/alert/read/drop-base64.ts'
import { isObject, type Json, type JsonObject, recordOf } from '#domain/alert/read/json-value.ts'
import { parseJsonLoosely } from '#domain/alert/read/parse-json-loosely.ts'

/**
 * The fields of a query string or a form body. A value that is a JSON object or array is parsed; of several
 * values with one name the first is kept.
 */
export function readUrlEncoded(text: string): JsonObject {
  return fieldsOf(new URLSearchParams(text.split('&', ALERT_FIELDS_MAX).join('&')))
}

/** The text fields of a multipart body, without its files. `null` if it has none or is not multipart. */
export function readMultipart(contentType: string, body: Uint8Array): JsonObject | null {
  const fields = readMultipartPairs(contentType, body)
  if (fields.length === 0) return null
  return fieldsOf(fields.map(([name, text]): [string, string] => [name, dropBase64(text)]))
}

/** The names and values of the text fields of a multipart body. Empty if the body is not multipart. */
export function readMultipartPairs(contentType: string, body: Uint8Array): readonly [string, string][] {
  const fields: [string, string][] = []
  try {
    const parser = make({
      headers: { 'content-type': contentType },
      // The default limit would drop a picture together with all fields after it.
      maxFieldSize: body.byteLength,
      isFile: part => part.filename !== undefined,
      onField: (part, value) => {
        if (fields.length < ALERT_FIELDS_MAX) fields.push([part.name, decodeField(part, value)])
      },
      onFile: () => () => {},
      onError: () => {},
      onDone: () => {},
    })
    parser.write(body)
    parser.end()
  } catch {
    // A field with an unknown charset or a bad name ends the reading; the fields before it are kept.
  }
  return fields
}

function fieldsOf(pairs: Iterable<[string, string]>): JsonObject {
  const fields = new Map<string, Json>()
  for (const [name, text] of pairs) {
    if (fields.size === ALERT_FIELDS_MAX) break
    if (!fields.has(name)) fields.set(name, parseNested(text))
  }
  return recordOf(fields)
}

function parseNested(text: string): Json {
  if (!/^\s*[[{]/.test(text)) return text
  const parsed = parseJsonLoosely(text.trim())
  return isObject(parsed) || Array.isArray(parsed) ? parsed : text
}
