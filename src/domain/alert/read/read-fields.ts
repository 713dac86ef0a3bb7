import { make } from 'multipasta'
import { ALERT_FIELDS_MAX } from '#contracts/bounds.ts'
import { dropBase64 } from '#domain/alert/read/drop-base64.ts'
import { isObject, type Json, type JsonObject, recordOf } from '#domain/alert/read/json-value.ts'
import { parseNestedJson } from '#domain/alert/read/parse-json-loosely.ts'
import { charsetOf, decodeFields, decodeText } from '#domain/decode-text.ts'

/**
 * The fields of a query string or a form body. A value that is a JSON object or array is parsed; of several
 * values with one name the first is kept.
 */
export function readUrlEncoded(text: string, charset = ''): JsonObject {
  return fieldsOf(decodeFields(text.split('&', ALERT_FIELDS_MAX).join('&'), charset))
}

/** The text fields of a multipart body, without its files. `null` if it has none or is not multipart. */
export function readMultipart(contentType: string, body: Uint8Array): JsonObject | null {
  const { fields } = readMultipartPairs(contentType, body)
  if (fields.length === 0) return null
  return fieldsOf(fields.map(([name, text]): [string, string] => [name, dropBase64(text)]))
}

/**
 * The names and values of the text fields among the first `partsMax` parts of a multipart body, files
 * included. Empty if the body is not multipart. `hasMore`: the body has more parts, which are not read.
 */
export function readMultipartPairs(
  contentType: string,
  body: Uint8Array,
  partsMax = ALERT_FIELDS_MAX,
): { readonly fields: readonly [string, string][]; readonly hasMore: boolean } {
  const fields: [string, string][] = []
  let hasMore = false
  try {
    const parser = make({
      headers: { 'content-type': contentType },
      // The default limit would drop a picture together with all fields after it.
      maxFieldSize: body.byteLength,
      isFile: part => part.filename !== undefined,
      maxParts: partsMax,
      onField: (part, value) => {
        fields.push([part.name, decodeText(value, charsetOf(part.contentType))])
      },
      onFile: () => () => {},
      onError: error => {
        if (error._tag !== 'ReachedLimit' || error.limit !== 'MaxParts') return
        hasMore = true
        // Ends the reading, because each further part takes time.
        throw new Error('too many parts')
      },
      onDone: () => {},
    })
    parser.write(body)
    parser.end()
  } catch {
    // A field with an unknown charset or a bad name ends the reading; the fields before it are kept.
  }
  return { fields, hasMore }
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
  const parsed = parseNestedJson(text.trim())
  return isObject(parsed) || Array.isArray(parsed) ? parsed : text
}
