import type { TriggerRequest } from '#contracts/webhook.ts'
import { dropBase64 } from '#domain/alert/read/drop-base64.ts'
import type { Json, JsonObject } from '#domain/alert/read/json-value.ts'
import { parseJsonLoosely } from '#domain/alert/read/parse-json-loosely.ts'
import { readMultipart, readUrlEncoded } from '#domain/alert/read/read-fields.ts'
import { readXml } from '#domain/alert/read/read-xml.ts'

/** The alert as a value: an object or an array, plain text as `{message}`. */
export interface Payload {
  readonly value: Json
  readonly headers: Readonly<Record<string, string>>
}

/** Request headers that say something about the alert. No other header reaches the pool. */
export const TRIGGER_HEADERS: readonly string[] = [
  'title',
  'x-title',
  't',
  'ti',
  'subject',
  'x-github-event',
  'x-gitlab-event',
  'x-gitea-event',
  'x-forgejo-event',
  'x-gogs-event',
  'x-event-key',
  'sentry-hook-resource',
]

const TITLE_HEADERS = ['title', 'x-title', 'ti', 't', 'subject'] as const

const ENCODED_WORD = /=\?([\w-]{1,40})\?([BQ])\?([^?\s]*)\?=(?:\s+(?==\?))?/gi

const MAIL_FIELDS = 'subject|from|to|cc|date|reply-to|message-id|mime-version|content-[\\w-]+|x-[\\w-]+'
const MAIL_HEAD = new RegExp(`^(?:(?:${MAIL_FIELDS}): ?[^\\n]*(?:\\r?\\n|$)){1,20}`, 'i')

/** A first name without spaces: "load is a=5" is a sentence, "message=disk full" a form. */
const LOOKS_LIKE_FORM = /^[\w.[\]%+-]+=/

/** Reads a request's alert, whatever its content type says. Never throws. */
export function readPayload(request: TriggerRequest): Payload {
  return { value: readValue(request), headers: request.headers }
}

function readValue(request: TriggerRequest): Json {
  const query = readUrlEncoded(request.query)
  if (request.method === 'GET' && request.query !== '') return query
  const contentType = request.contentType ?? ''
  if (/^\s*multipart\//i.test(contentType)) {
    const fields = readMultipart(contentType, request.body)
    if (fields !== null) return fields
  }
  const text = dropBase64(decode(request.body, contentType)).trim()
  if (text === '') return withTitle(query, request)
  const json = parseJsonLoosely(text)
  if (typeof json === 'object' && json !== null) return json
  if (json === undefined && /urlencoded/i.test(contentType) && LOOKS_LIKE_FORM.test(text)) {
    return readUrlEncoded(text)
  }
  if (json === null) return query
  const xml = json === undefined ? readXml(text) : null
  if (xml !== null) return xml
  const message = typeof json === 'string' ? json : text
  return withTitle({ ...query, ...readMail(message) }, request)
}

/** A text that begins as a mail does: its subject and what follows the head. */
function readMail(text: string): JsonObject {
  const head = MAIL_HEAD.exec(text)?.[0] ?? ''
  const subject = /^subject: *(\S.*)$/im.exec(head)?.[1]?.trim() ?? ''
  const message = text.slice(head.length).trim()
  return subject === '' ? { message: text } : { title: decodeWords(subject), message: message || subject }
}

/** Plain text carries its title in a header (ntfy) or in the query. */
function withTitle(fields: JsonObject, request: TriggerRequest): JsonObject {
  const name = TITLE_HEADERS.find(header => Object.hasOwn(request.headers, header))
  const record: Record<string, Json> = Object.assign(Object.create(null), fields)
  const title = name === undefined ? undefined : request.headers[name]
  if (title !== undefined && !Object.hasOwn(fields, 'title')) record['title'] = decodeWords(title)
  return record
}

/**
 * A header in other than ASCII as mail and ntfy's clients write it: `=?UTF-8?B?…?=`.
 * @see RFC 2047
 */
function decodeWords(header: string): string {
  return header.replace(ENCODED_WORD, (word: string, ...parts: string[]) => {
    const [charset, kind, text = ''] = parts
    try {
      const octets = kind?.toUpperCase() === 'B' ? atob(text) : unquote(text)
      return new TextDecoder(charset).decode(Uint8Array.from(octets, octet => octet.charCodeAt(0)))
    } catch {
      return word
    }
  })
}

function unquote(text: string): string {
  const spaced = text.replace(/_/g, ' ')
  return spaced.replace(/=([\dA-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}

function decode(body: Uint8Array, contentType: string): string {
  const charset = /charset\s*=\s*"?([\w.:-]{1,40})/i.exec(contentType)?.[1] ?? 'utf-8'
  try {
    return new TextDecoder(charset).decode(body)
  } catch {
    return new TextDecoder().decode(body)
  }
}
