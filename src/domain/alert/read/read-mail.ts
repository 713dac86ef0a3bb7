import { type JsonObject, recordOf } from '#domain/alert/read/json-value.ts'

const FIELDS = 'subject|from|to|cc|date|reply-to|message-id|mime-version|content-[\\w-]+|x-[\\w-]+'
/** Header lines at the start of a mail. Some scripts leave out the empty line after the header. */
const PLAIN_HEAD = new RegExp(`^(?:(?:${FIELDS}): ?[^\\n]*(?:\\n|$)){1,20}`, 'i')
/** A header line, or the continuation of one. */
const FIELD_LINE = /^(?:[!-9;-~]{1,64}:(?: |\t|$)|[ \t]|From )/
/** Header fields that mark a text with a subject as a mail. */
const MAIL_ONLY = /^(?:from|to|received|return-path|message-id|mime-version|content-type):/im
const HEAD_LENGTH_MAX = 16_384
/** Different names of fields that are read from a head. */
const NAMES_MAX = 64
const NAME = /^[!-9;-~]{1,64}$/
const PARTS_MAX = 32
const DEPTH_MAX = 4
/** Encoded text beyond this is not decoded. What remains is still more than the readers of alerts look at. */
const ENCODED_LENGTH_MAX = 262_144

const ENCODED_WORD = /=\?([\w-]{1,40})\?([BQ])\?([^?\s]*)\?=(?:\s+(?==\?))?/gi

/**
 * Reads a mail: its subject becomes `title`, its plain text (or else its HTML) becomes `message`, both
 * decoded. Any other text becomes `message` as it is. @see RFC 5322, RFC 2045, RFC 2046
 */
export function readMail(text: string): JsonObject {
  const unix = text.replace(/\r\n/g, '\n')
  const head = headOf(unix)
  const fields = fieldsOf(head)
  const subject = fields.get('subject') ?? ''
  if (subject === '') return { message: text }
  const message = contentOf(fields, unix.slice(head.length), 0).trim()
  return { title: decodeWords(subject), message: message || decodeWords(subject) }
}

/** The header fields of a mail, by name in lower case. Empty for any other text. */
export function readMailHead(text: string): JsonObject {
  const fields = fieldsOf(headOf(text.slice(0, HEAD_LENGTH_MAX).replace(/\r\n/g, '\n')))
  if (!fields.get('subject')) return recordOf([])
  return recordOf([...fields].map(([name, value]) => [name, decodeWords(value)] as const))
}

function headOf(text: string): string {
  const end = text.slice(0, HEAD_LENGTH_MAX).indexOf('\n\n')
  const block = end < 0 ? '' : text.slice(0, end + 1)
  const isHead = block !== '' && MAIL_ONLY.test(block) && block.trimEnd().split('\n').every(isFieldLine)
  return isHead ? block : (PLAIN_HEAD.exec(text)?.[0] ?? '')
}

function isFieldLine(line: string): boolean {
  return FIELD_LINE.test(line)
}

/** The fields of a head by name in lower case, each on one line. Of several with one name, the first. */
type Head = ReadonlyMap<string, string>

function fieldsOf(head: string): Head {
  const fields = new Map<string, string>()
  for (const line of head.split(/\n(?![ \t])/)) {
    const colon = line.indexOf(':')
    const name = line.slice(0, Math.max(colon, 0)).toLowerCase()
    if (fields.size >= NAMES_MAX) break
    if (!NAME.test(name) || fields.has(name)) continue
    fields.set(
      name,
      line
        .slice(colon + 1)
        .replace(/\n[ \t]+/g, ' ')
        .trim(),
    )
  }
  return fields
}

/** The text of a mail or a part of one: the first part with plain text, or else the first with any text. */
function contentOf(head: Head, body: string, depth: number): string {
  const type = head.get('content-type') ?? ''
  const boundary = /^multipart\/.*?boundary="?([^";\n]{1,70})/i.exec(type)?.[1]
  if (boundary !== undefined) return depth < DEPTH_MAX ? textOfParts(body, boundary.trim(), depth) : ''
  if (type !== '' && !/^(?:text|message)\//i.test(type)) return ''
  const charset = /charset="?([\w.:-]{1,40})/i.exec(type)?.[1] ?? 'utf-8'
  const encoding = head.get('content-transfer-encoding')?.toLowerCase()
  const encoded = body.slice(0, ENCODED_LENGTH_MAX)
  if (encoding === 'quoted-printable')
    return decodeQuotedPrintable(encoded.replace(/=[ \t]*\n/g, ''), charset)
  // The only charsets whose bytes are all ASCII.
  if (/^iso-2022/i.test(charset)) return decodeBytes(new TextEncoder().encode(encoded), charset) ?? body
  if (encoding !== 'base64') return body
  return decodeBytes(decodeBase64(encoded), charset) ?? ''
}

/** The text of a multipart body: of its first plain-text part, or else of its first part with text. */
function textOfParts(body: string, boundary: string, depth: number): string {
  const parts = `\n${body}`
    .split(`\n--${boundary}`, PARTS_MAX)
    .slice(1)
    .filter(part => !part.startsWith('--'))
    .map(part => {
      const end = part.indexOf('\n\n')
      const head = fieldsOf(part.slice(0, end < 0 ? part.length : end + 1).replace(/^[ \t]*\n/, ''))
      // A part without a type is plain text.
      const type = head.get('content-type') ?? ''
      const isText = type === '' || /^(?:text\/plain|multipart\/)/i.test(type)
      const isFile = /^attachment/i.test(head.get('content-disposition') ?? '')
      return { isText, text: isFile || end < 0 ? '' : contentOf(head, part.slice(end + 2), depth + 1) }
    })
    .filter(part => part.text.trim() !== '')
  return (parts.find(part => part.isText) ?? parts[0])?.text ?? ''
}

/**
 * Decodes a header with characters outside ASCII, as mail and clients of ntfy write it: `=?UTF-8?B?…?=`.
 * @see RFC 2047
 */
export function decodeWords(header: string): string {
  return header.replace(ENCODED_WORD, (word: string, ...parts: string[]) => {
    const [charset = '', kind, text = ''] = parts
    if (kind?.toUpperCase() !== 'B') return decodeQuotedPrintable(text.replace(/_/g, ' '), charset)
    return decodeBytes(decodeBase64(text), charset) ?? word
  })
}

/** Decodes quoted-printable (`=C3=A4`). With an unknown charset the text stays unchanged. */
function decodeQuotedPrintable(text: string, charset: string): string {
  return text.replace(/(?:=[\dA-F]{2})+/gi, run => {
    const octets = run.slice(1).split('=')
    return (
      decodeBytes(
        Uint8Array.from(octets, octet => Number.parseInt(octet, 16)),
        charset,
      ) ?? run
    )
  })
}

/** `null` if the text is not base64. */
function decodeBase64(text: string): Uint8Array | null {
  try {
    const bare = text.replace(/\s+/g, '')
    // Four characters are three bytes; a text that was cut may end within them.
    const whole = text.length < ENCODED_LENGTH_MAX ? bare : bare.slice(0, bare.length - (bare.length % 4))
    return Uint8Array.from(atob(whole), octet => octet.charCodeAt(0))
  } catch {
    return null
  }
}

/** `null` without bytes, or for an unknown charset. */
function decodeBytes(bytes: Uint8Array | null, charset: string): string | null {
  if (bytes === null) return null
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch {
    return null
  }
}
