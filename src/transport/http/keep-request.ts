import type { AlertReading } from '#contracts/alert-reading.ts'
import type { KeptRequest, SeenTrigger } from '#contracts/seen-trigger.ts'
import type { TriggerRequest } from '#contracts/webhook.ts'
import { textOfMail } from '#domain/alert/read/read-mail.ts'
import { charsetOf, decodeText, startOf, typeOfText } from '#domain/decode-text.ts'
import type { Webhook } from '#domain/webhook/webhook.ts'

/** Bytes kept of a body: enough for ten Alertmanager alerts with their labels. */
const KEPT_BODY_BYTES_MAX = 16_384
/** Longest kept value of a header, UTF-16 code units: a title. */
const KEPT_HEADER_LENGTH_MAX = 1024

/** What the history of a webhook says about a request besides its text. `reading`: null: it was not read. */
export function keepReading(
  webhook: Webhook,
  request: TriggerRequest,
  reading: AlertReading | null,
): Pick<SeenTrigger, 'guess' | 'shape' | 'kept'> {
  const kept = webhook.keepLastBody ? keepRequest(request, reading) : null
  return { guess: reading?.guess ?? false, shape: reading?.shape ?? null, kept }
}

/**
 * The beginning of a trigger's body, in the form that a preview accepts, and its headers. The body of a GET
 * is its query, which has the format of a form.
 */
function keepRequest(request: TriggerRequest, reading: AlertReading | null): KeptRequest {
  const { method, query, contentType, headers, body } = request
  const isQuery = method === 'GET'
  const start = startOf(isQuery ? Buffer.from(query) : body, KEPT_BODY_BYTES_MAX)
  const isMail = contentType === 'message/rfc822'
  const text = isMail ? textOfMail(start) : decodeText(start, charsetOf(contentType))
  const cut = Object.entries(headers).map(([name, value]) => [name, value.slice(0, KEPT_HEADER_LENGTH_MAX)])
  return {
    contentType: isQuery ? 'application/x-www-form-urlencoded' : contentType && typeOfText(contentType, text),
    // U+0000 is replaced, because it would end a text in SQLite.
    body: text.replaceAll('\0', '\ufffd'),
    headers: Object.fromEntries(cut),
    fields: reading?.fields ?? [],
    confirmationUrl: reading?.confirmationUrl ?? null,
  }
}
