import type { KeptBody } from '#contracts/seen-trigger.ts'
import type { TriggerRequest } from '#contracts/webhook.ts'

/** Bytes kept of the last body: enough for ten Alertmanager alerts with their labels. */
const KEPT_BODY_BYTES_MAX = 16_384

/**
 * The beginning of a trigger's body, in the form that a preview accepts. The body of a GET is its query,
 * which has the format of a form.
 */
export function keepBody({ method, query, contentType, body }: TriggerRequest, at: number): KeptBody {
  const isQuery = method === 'GET'
  const bytes = isQuery ? Buffer.from(query) : body
  // `stream` drops a character that was cut in two. U+0000 is replaced, because it would end a text in
  // SQLite.
  const text = new TextDecoder().decode(bytes.subarray(0, KEPT_BODY_BYTES_MAX), { stream: true })
  return {
    at,
    contentType: isQuery ? 'application/x-www-form-urlencoded' : contentType,
    text: text.replaceAll('\0', '\ufffd'),
  }
}
