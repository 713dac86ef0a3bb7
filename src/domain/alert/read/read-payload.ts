import type { TriggerRequest } from '#contracts/webhook.ts'
import { dropBase64 } from '#domain/alert/read/drop-base64.ts'
import { isObject, type Json, type JsonObject, recordOf } from '#domain/alert/read/json-value.ts'
import { openData } from '#domain/alert/read/open-data.ts'
import { parseJsonLoosely } from '#domain/alert/read/parse-json-loosely.ts'
import { readMultipart, readUrlEncoded } from '#domain/alert/read/read-fields.ts'
import { decodeWords, readMail, readMailHead } from '#domain/alert/read/read-mail.ts'
import { readPairs } from '#domain/alert/read/read-pairs.ts'
import { readXml } from '#domain/alert/read/read-xml.ts'
import { openString } from '#domain/alert/read/unwrap-payload.ts'
import { charsetOf, decodePercent, decodeText } from '#domain/decode-text.ts'

/** A request's alert: `value` is an object or an array; plain text becomes `{message}`. */
export interface Payload {
  readonly value: Json
  readonly headers: Readonly<Record<string, string>>
  /** The header of a mail, of which `value` has the subject and the text. Empty for any other body. */
  readonly mail?: JsonObject
}

/** The request headers that may describe the alert. No other header is passed to the pool. */
export const TRIGGER_HEADERS: readonly string[] = [
  'title',
  'x-title',
  't',
  'ti',
  'subject',
  'message',
  'x-message',
  'm',
  'priority',
  'x-priority',
  'prio',
  'p',
  'tags',
  'x-tags',
  'tag',
  'ta',
  'x-github-event',
  'x-gitlab-event',
  'x-gitea-event',
  'x-forgejo-event',
  'x-gogs-event',
  'x-event-key',
  'sentry-hook-resource',
]

const TITLE_HEADERS = ['title', 'x-title', 'ti', 't', 'subject']
const MESSAGE_HEADERS = ['x-message', 'message', 'm']

/** A form begins with a name without spaces: "message=disk full" is one, "load is a=5" is not. */
const LOOKS_LIKE_FORM = /^[\w.[\]%+-]+=/
/** A value without a name: `curl --data-urlencode "disk full"`; some tools write = before or behind it. */
const SOLE_VALUE = /^=?(?=[^\s=&]*%[\dA-Fa-f]{2})[^\s=&]+=?$/

/** Reads the alert of a request, even if its content type is wrong. Never throws. */
export function readPayload(request: TriggerRequest): Payload {
  const value = readValue(request)
  const charset = charsetOf(request.contentType)
  const isMail = isObject(value) && typeof value['title'] === 'string' && typeof value['message'] === 'string'
  const mail = isMail ? readMailHead(request.body, charset) : recordOf([])
  return { value, headers: request.headers, mail }
}

function readValue(request: TriggerRequest): Json {
  const query = readUrlEncoded(request.query)
  if (request.method === 'GET' && request.query !== '') return query
  const contentType = request.contentType ?? ''
  const charset = charsetOf(contentType)
  if (/^\s*multipart\//i.test(contentType)) {
    const fields = readMultipart(contentType, request.body)
    if (fields !== null) return fields
  }
  const isForm = /urlencoded/i.test(contentType)
  const sent = decodeText(request.body, charset)
  const whole = openData(isForm && SOLE_VALUE.test(sent) ? openValue(sent, charset) : sent)
  const text = dropBase64(whole).trim()
  if (text === '') return withHeaders(query, request)
  const json = readJson(text)
  if (typeof json === 'object' && json !== null) return json
  if (json === undefined && isForm && LOOKS_LIKE_FORM.test(text) && readPairs(text) === null)
    return readUrlEncoded(text, charset)
  // The body is the JSON `null`, so only the query can hold an alert.
  if (json === null) return query
  const xml = json === undefined ? readXml(text) : null
  if (xml !== null) return xml
  if (typeof json === 'string') return withHeaders({ ...query, message: json }, request)
  // Read before base64 is removed, because the text of a mail may be base64.
  const isMail = contentType === 'message/rfc822'
  const mail = readMail(request.body, { charset, isMail }) ?? { message: whole.trim() }
  const parts = Object.entries(mail).map(([name, part]) => [name, dropBase64(String(part))] as const)
  return withHeaders({ ...query, ...recordOf(parts) }, request)
}

/** The JSON of a body, also if it is quoted several times. */
function readJson(text: string): Json | undefined {
  const json = parseJsonLoosely(text)
  const opened = openString(json ?? null)
  const inner = typeof opened === 'string' ? parseJsonLoosely(opened.trim()) : undefined
  return typeof inner === 'object' && inner !== null ? inner : json && opened
}

function openValue(text: string, charset: string): string {
  return decodePercent(text.replace(/^=|=$/g, '').replaceAll('+', ' '), charset)
}

/** Adds a title and a message from the headers. ntfy sends them there if the body is plain text or a file. */
function withHeaders(fields: JsonObject, request: TriggerRequest): JsonObject {
  const record: Record<string, Json> = Object.assign(Object.create(null), fields)
  const title = firstHeader(request, TITLE_HEADERS)
  if (title !== '' && !Object.hasOwn(fields, 'title')) record['title'] = title
  const message = firstHeader(request, MESSAGE_HEADERS)
  if (message !== '') record['message'] = message
  return record
}

function firstHeader({ headers }: TriggerRequest, names: readonly string[]): string {
  const name = names.find(header => Object.hasOwn(headers, header))
  return name === undefined ? '' : decodeWords(headers[name] ?? '')
}
