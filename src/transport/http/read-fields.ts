import type * as v from 'valibot'
import { readMultipartPairs } from '#domain/alert/read/read-fields.ts'
import { charsetOf, decodeFields, decodeText } from '#domain/decode-text.ts'
import { JSON_VALUES_MAX } from '#domain/json-shape.ts'
import { invalid, type Problem } from '#domain/problem.ts'
import { parseJsonObject } from '#transport/http/body.ts'

/**
 * Fields of a form, or parts of a multipart form; a file is a part. Real clients send a third of this. Each
 * field takes time, even if the caller is unknown.
 */
const FORM_FIELDS_MAX = 64
const URL_ENCODED = /^\s*application\/x-www-form-urlencoded\s*(?:;|$)/i
const NUMBER_FIELD = /^(?:phone_?number|to|number|recipients?)s?$/i
const OPENING_BRACE = 0x7b
const MULTIPART = /^\s*multipart\/form-data\s*;/i

interface FieldOptions {
  readonly request?: v.GenericSchema | undefined
  readonly valuesMax?: number
}

/**
 * The fields of a body: JSON with any Content-Type, or a form. Texts of a form become numbers or booleans
 * where the schema `request` expects them. `valuesMax`: values of JSON.
 *
 * @throws Problem INVALID_REQUEST
 */
export function readFields(
  bytes: Buffer,
  contentType = '',
  { request, valuesMax = JSON_VALUES_MAX }: FieldOptions = {},
): object {
  const pairs = looksLikeJson(bytes) ? null : readForm(bytes, contentType)
  return pairs === null ? parseJsonObject(bytes, { valuesMax, contentType }) : typedFields(pairs, request)
}

/** Whether the body is JSON. The Content-Type does not tell: `curl -d '{…}'` declares JSON as a form. */
function looksLikeJson(bytes: Buffer): boolean {
  return bytes[0] === OPENING_BRACE || /^\ufeff?\s*[{[]/.test(bytes.toString('utf8', 0, 256))
}

/** The parameters of a query. */
export function readQuery(raw: string): URLSearchParams {
  return new URLSearchParams(decodeFields(raw))
}

function readForm(bytes: Buffer, contentType: string): Iterable<[string, string]> | null {
  if (bytes.length === 0) return null
  if (URL_ENCODED.test(contentType)) {
    const charset = charsetOf(contentType)
    const text = decodeText(bytes, charset)
    if (text.split('&', FORM_FIELDS_MAX + 1).length > FORM_FIELDS_MAX) throw tooManyFields()
    return decodeFields(text, charset)
  }
  if (!MULTIPART.test(contentType)) return null
  const { fields, hasMore } = readMultipartPairs(contentType, bytes, FORM_FIELDS_MAX)
  if (hasMore) throw tooManyFields()
  return fields
}

function tooManyFields(): Problem {
  return invalid([{ path: '', message: `the form has more than ${FORM_FIELDS_MAX} fields` }])
}

function typedFields(pairs: Iterable<[string, string]>, request: v.GenericSchema | undefined): object {
  const fields = new Map<string, unknown>()
  for (const [name, text] of pairs) {
    if (fields.has(name)) throw invalid([{ path: name, message: 'must appear only once' }])
    const type = typeOf(entryOf(request, name))
    // A form also sends the fields that its user left empty. Such a field counts only if it is a text.
    if (text !== '' || type === 'string') fields.set(name, typed(withPlus(name, text), type))
  }
  return Object.fromEntries(fields)
}

/** A + that is not percent-encoded arrives as a space. */
function withPlus(name: string, text: string): string {
  return NUMBER_FIELD.test(name) ? text.replace(/^ (?=\d)/, '+') : text
}

function typed(text: string, type: string): unknown {
  if (type === 'number' && /^\d{1,15}$/.test(text)) return Number(text)
  if (type === 'boolean' && /^(?:true|false)$/i.test(text)) return text.toLowerCase() === 'true'
  return text
}

function entryOf(request: v.GenericSchema | undefined, name: string): v.GenericSchema | undefined {
  if (request === undefined || !('entries' in request)) return undefined
  const entries = Object.entries(request.entries as Readonly<Record<string, v.GenericSchema>>)
  return entries.find(([field]) => field.toLowerCase() === name.toLowerCase())?.[1]
}

/** The type inside wrappers such as `nullish`; `string` for an unknown field. */
function typeOf(schema: v.GenericSchema | undefined): string {
  if (schema === undefined) return 'string'
  return 'wrapped' in schema ? typeOf(schema.wrapped as v.GenericSchema) : schema.type
}
