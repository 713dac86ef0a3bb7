import { isObject, type JsonObject, recordOf } from '#domain/alert/read/json-value.ts'
import { parseJsonLoosely } from '#domain/alert/read/parse-json-loosely.ts'
import { readMultipart, readUrlEncoded } from '#domain/alert/read/read-fields.ts'
import type { Call } from '#transport/http/route.ts'

/** The fields of a JSON or form body, with any Content-Type. Any other body has no fields. Never throws. */
export function readLooseFields(call: Call): JsonObject {
  const contentType = call.header('content-type') ?? ''
  const none = recordOf([])
  if (/^\s*multipart\//i.test(contentType)) return readMultipart(contentType, call.bytes) ?? none
  const text = call.bytes.toString('utf8')
  const json = parseJsonLoosely(text)
  if (isObject(json)) return json
  return /urlencoded/i.test(contentType) ? readUrlEncoded(text) : none
}
