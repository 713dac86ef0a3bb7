import { isObject, type JsonObject, recordOf } from '#domain/alert/read/json-value.ts'
import { readFields } from '#transport/http/read-fields.ts'
import type { Call } from '#transport/http/route.ts'

/** Longer bodies have no fields here, because a listener reads them. */
const LOOSE_BYTES_MAX = 65_536

/** The fields of a JSON or form body, with any Content-Type. Any other body has no fields. Never throws. */
export function readLooseFields(call: Call): JsonObject {
  const none = recordOf([])
  if (call.bytes.length > LOOSE_BYTES_MAX) return none
  try {
    const fields = readFields(call.bytes, call.header('content-type'))
    return isObject(fields as never) ? (fields as JsonObject) : none
  } catch {
    return none
  }
}
