import type { KeptBody } from '#contracts/seen-trigger.ts'
import type { TriggerRequest } from '#contracts/webhook.ts'
import { KEPT_BODY_BYTES_MAX } from '#contracts/webhook-bounds.ts'

/** The beginning of a trigger's body, as the preview takes it; of a GET its query, which is a form. */
export function keepBody({ method, query, contentType, body }: TriggerRequest, at: number): KeptBody {
  const isQuery = method === 'GET'
  const bytes = isQuery ? Buffer.from(query) : body
  // A character that the cut went through is left out; SQLite ends a text at U+0000.
  const text = new TextDecoder().decode(bytes.subarray(0, KEPT_BODY_BYTES_MAX), { stream: true })
  return {
    at,
    contentType: isQuery ? 'application/x-www-form-urlencoded' : contentType,
    text: text.replaceAll('\0', '\ufffd'),
  }
}
