import { decodeField, make } from 'multipasta'
import { ALERT_FIELDS_MAX } from '#contracts/bounds.ts'
import { dropBase64 } from '#domain/alert/read/drop-base64.ts'
import { isObject, type Json, type JsonObject, recordOf } from '#domain/alert/read/json-value.ts'
import { parseJsonLoosely } from '#domain/alert/read/parse-json-loosely.ts'

/**
 * Fields of a query or of a form body; a value that is a JSON object or array is parsed, a name given
 * twice keeps the first.
 */
export function readUrlEncoded(text: string): JsonObject {
  return fieldsOf(new URLSearchParams(text.split('&', ALERT_FIELDS_MAX).join('&')))
}

/**
 * Text fields of a multipart body; files are passed over. Answers `null` when the body is not what its
 * content type says.
 */
export function readMultipart(contentType: string, body: Uint8Array): JsonObject | null {
  const fields = readMultipartPairs(contentType, body)
  if (fields.length === 0) return null
  return fieldsOf(fields.map(([name, text]): [string, string] => [name, dropBase64(text)]))
}

/** Names and values of the text fields of a multipart body; none when it is no such body. */
export function readMultipartPairs(contentType: string, body: Uint8Array): readonly [string, string][] {
  const fields: [string, string][] = []
  try {
    const parser = make({
      headers: { 'content-type': contentType },
      // Its own bound would drop a picture, and every field behind it.
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
    // A charset or an encoded name that cannot be decoded: the fields before it still count.
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
