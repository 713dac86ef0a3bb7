import type { TriggerRequest } from '#contracts/webhook.ts'
import { readMail } from '#domain/alert/read/read-mail.ts'
import { cutText, joinedLine } from '#domain/alert/text/cut-text.ts'
import { charsetOf, decodeText, startOf } from '#domain/decode-text.ts'

/** Characters of the fallback text: the start of a request that could not be rendered. */
const ALERT_FALLBACK_LENGTH_MAX = 400

/** How many bytes are read. A UTF-8 character has at most four. */
const BYTES_READ_MAX = 4 * ALERT_FALLBACK_LENGTH_MAX

/**
 * The text of an alert that could not be rendered: the webhook's name and the start of the request. Of a mail
 * it is the subject and the start of its text.
 */
export function fallbackText(name: string, request: TriggerRequest): string {
  const raw =
    request.method === 'GET' && request.query !== ''
      ? request.query.slice(0, BYTES_READ_MAX).replaceAll('&', ' ')
      : textOf(startOf(request.body, BYTES_READ_MAX), request.contentType)
  const printable = joinedLine(raw.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' '))
  const body = cutText(printable, ALERT_FALLBACK_LENGTH_MAX)
  return cutText(joinedLine(`${name}: ${body || 'ALERT'}`))
}

function textOf(start: Uint8Array, contentType: string | null): string {
  const mail = contentType === 'message/rfc822' ? readMail(start, { isMail: true }) : null
  if (mail === null) return decodeText(start, charsetOf(contentType))
  const { title, message } = mail
  return [...new Set([title, message])].filter(part => part !== undefined && part !== '').join(': ')
}
