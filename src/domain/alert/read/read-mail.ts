import { type JsonObject, recordOf } from '#domain/alert/read/json-value.ts'
import { bytesOf, charsetOf, decodeText, startOf, typeOfText } from '#domain/decode-text.ts'

const FIELDS = 'subject|from|to|cc|date|reply-to|message-id|mime-version|content-[\\w-]+|x-[\\w-]+'
/** Header lines at the start of a mail. Some scripts leave out the empty line after the header. */
const PLAIN_HEAD = new RegExp(`^(?:(?:${FIELDS}): ?[^\\n]*(?:\\n|$)){1,20}`, 'i')
/** A header line, or the continuation of one. */
const FIELD_LINE = /^(?:[!-9;-~]{1,64}:(?: |\t|$)|[ \t]|From )/
/** Header fields that mark a text with a subject as a mail. */
const MAIL_ONLY = /^(?:from|to|received|return-path|message-id|mime-version|content-type):/im
const CONTENT_TYPE = /^content-type:[^\n]*(?:\n[ \t][^\n]*)*/im
const HEAD_LENGTH_MAX = 16_384
/** Different names of fields that are read from a head. */
const NAMES_MAX = 64
const NAME = /^[!-9;-~]{1,64}$/
/** Types with words in them; cameras send files of the last two. */
const READABLE = /^(?:text\/|message\/|application\/(?:\w{1,32}\+)?(?:xml|json)\b)/i
/** The name of a file, in the head of its part. */
const FILE_NAME = /[;\s](?:file)?name="?([^";\n]{1,80})/gi
const FILES_NAMED_MAX = 3
/** A file is named in two fields of its part. */
const FILE_NAMES_READ_MAX = 2 * FILES_NAMED_MAX
const PARTS_MAX = 32
const DEPTH_MAX = 4
/** Encoded text beyond this is not decoded. What remains is still more than the readers of alerts look at. */
const ENCODED_LENGTH_MAX = 262_144
/** Fewer bytes than so much base64 has, so that the cut is seen, and made between two characters. */
const DECODED_BYTES_MAX = 196_000
const NO_BYTES = new Uint8Array()
const EQUALS = 0x3d

const ENCODED_WORD = /=\?([\w.:-]{1,40})(?:\*[\w-]{0,20})?\?([BQ])\?([^?\s]*)\?=(?:\s+(?==\?))?/gi

/** Heads of programs that pass mails on. Any text may begin with `From:` and `Date:`. */
const SURELY_MAIL = /^(?:received|return-path|message-id|mime-version|content-type):/im

interface MailOptions {
  /** The charset of parts that declare none. */
  readonly charset?: string
  /** Whether the body came as a mail, so that it is one even without a subject. */
  readonly isMail?: boolean
}

/**
 * Reads a mail: its subject becomes `title`, its plain text (or else its HTML) becomes `message`. Each part
 * is decoded by its own charset. Null: the body is no mail. @see RFC 5322, RFC 2045, RFC 2046
 */
export function readMail(body: Uint8Array, options: MailOptions = {}): JsonObject | null {
  const { charset = '', isMail = false } = options
  const unix = signsOf(body)
  const head = headOf(unix)
  if (head === '') return null
  const fields = fieldsOf(head, charset)
  const title = decodeWords(fields.get('subject') ?? '').trim()
  const message = contentOf(fields, unix.slice(head.length), { charset, depth: 0 }).trim()
  if (title !== '') return { title, message: message || title }
  if (hasWords(message)) return isMail || SURELY_MAIL.test(head) ? { message } : null
  return isMail ? { message: aboutMail(fields, unix) } : null
}

/** Whether a text has more than tags, such as that of a picture. */
function hasWords(text: string): boolean {
  return text.replace(/<[^<>]*>/g, '').trim() !== ''
}

/** What there is to say of a mail without words: who sent it, and its files. */
function aboutMail(fields: Head, unix: string): string {
  const from = decodeWords(fields.get('from') ?? '')
  const sender = from.replace(/"|<[^<>]*>$/g, '').trim() || from.replace(/[<>]/g, '')
  const names = unix.matchAll(FILE_NAME).take(FILE_NAMES_READ_MAX)
  const files = new Set(names.map(([, name = '']) => decodeWords(name).trim()))
  const words = sender === '' ? 'Mail' : `Mail from ${sender}`
  return [words, [...files].slice(0, FILES_NAMED_MAX).join(', ')].filter(part => part !== '').join(': ')
}

/** The header fields of a mail with a subject, by name in lower case. Empty for any other body. */
export function readMailHead(body: Uint8Array, charset = ''): JsonObject {
  const fields = fieldsOf(headOf(signsOf(body.subarray(0, HEAD_LENGTH_MAX))), charset)
  if (!fields.get('subject')) return recordOf([])
  return recordOf([...fields].map(([name, value]) => [name, decodeWords(value)] as const))
}

/** A mail as text that reads as the mail does: each part is decoded, and says that it is in UTF-8. */
export function textOfMail(mail: Uint8Array): string {
  let charset = ''
  const partOf = (signs: string) => {
    // Lines of a text begin like a boundary, too: they are in the charset of the part around them.
    charset = charsetOf(CONTENT_TYPE.exec(signs)?.[0]) || charset
    // What is encoded has only signs of ASCII, except in ISO-2022.
    const isPlain = !/[^\p{ASCII}]|\p{Cc}\$/u.test(signs)
    const text = isPlain ? signs : decodeText(Buffer.from(signs, 'latin1'), charset)
    return text.replace(CONTENT_TYPE, type => typeOfText(type, text))
  }
  const signs = Buffer.from(mail.buffer, mail.byteOffset, mail.byteLength).toString('latin1')
  return signs
    .split(/(?<=\n)(?=--\S)/)
    .map(partOf)
    .join('')
}

/** What makes a mail: its id, date and body. Null: it has no id or date, so another one may be the same. */
export function identityOfMail(mail: Uint8Array): string | null {
  const unix = signsOf(mail)
  const head = headOf(unix)
  const fields = fieldsOf(head)
  const [id = '', date = ''] = ['message-id', 'date'].map(name => fields.get(name))
  if (/^[<>\s]*$/.test(id) || date === '') return null
  return JSON.stringify([id, date, unix.slice(head.length)])
}

/** A body with one sign for each byte, so that no charset is lost, without blanks and a mark before it. */
function signsOf(body: Uint8Array): string {
  const signs = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1')
  return signs.replace(/^(?:\xef\xbb\xbf)?[ \t\r\n]*/, '').replaceAll('\r\n', '\n')
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

/** `charset`: of fields that are not encoded, although they should be, where the head declares none. */
function fieldsOf(head: string, charset = ''): Head {
  const own = charsetOf(CONTENT_TYPE.exec(head)?.[0]) || charset
  const fields = new Map<string, string>()
  for (const line of head.split(/\n(?![ \t])/)) {
    const colon = line.indexOf(':')
    const name = line.slice(0, Math.max(colon, 0)).toLowerCase()
    if (fields.size >= NAMES_MAX) break
    if (!NAME.test(name) || fields.has(name)) continue
    const value = line.slice(colon + 1).replace(/\n[ \t]+/g, ' ')
    fields.set(name, decodeText(Buffer.from(value, 'latin1'), own).trim())
  }
  return fields
}

interface Part {
  /** Of the parts around it. */
  readonly charset: string
  readonly depth: number
}

/** The text of a mail or a part of one: the first part with plain text, or else the first with any text. */
function contentOf(head: Head, body: string, { charset, depth }: Part): string {
  const type = head.get('content-type') ?? ''
  const boundary = /^multipart\/.*?boundary="?([^";\n]{1,70})/i.exec(type)?.[1]
  const inner = { charset: charsetOf(type) || charset, depth: depth + 1 }
  if (boundary !== undefined) return depth < DEPTH_MAX ? textOfParts(body, boundary.trim(), inner) : ''
  if (type !== '' && !READABLE.test(type)) return ''
  const encoding = head.get('content-transfer-encoding')?.toLowerCase() ?? ''
  const text = decodeText(contentBytes(body, encoding), inner.charset)
  return /^application\/\S{0,40}xml/i.test(type) ? text.replace(/<[^<>]{0,200}>\s*/g, ' ').trim() : text
}

function contentBytes(body: string, encoding: string): Uint8Array {
  const encoded = body.slice(0, ENCODED_LENGTH_MAX)
  if (encoding === 'base64') return startOf(decodeBase64(encoded) ?? NO_BYTES, DECODED_BYTES_MAX)
  if (encoding !== 'quoted-printable') return Buffer.from(body, 'latin1')
  return startOf(quotedBytes(encoded.replace(/=[ \t]*\n/g, '')), DECODED_BYTES_MAX)
}

/** The text of its first part with plain text, or else with any text, or else of its first file with text. */
function textOfParts(body: string, boundary: string, inner: Part): string {
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
      return { isText, isFile, text: end < 0 ? '' : contentOf(head, part.slice(end + 2), inner) }
    })
    .filter(part => part.text.trim() !== '')
  const shown = parts.filter(part => !part.isFile)
  return (shown.find(part => part.isText) ?? shown[0] ?? parts[0])?.text ?? ''
}

/**
 * Decodes a header with characters outside ASCII, as mail and clients of ntfy write it: `=?UTF-8?B?…?=`.
 * @see RFC 2047
 */
export function decodeWords(header: string): string {
  return header.replace(ENCODED_WORD, (word: string, ...parts: string[]) => {
    const [charset = '', kind, text = ''] = parts
    const isQuoted = kind?.toUpperCase() !== 'B'
    const bytes = isQuoted ? quotedBytes(text.replaceAll('_', ' ')) : decodeBase64(text)
    return bytes === null ? word : decodeText(bytes, charset)
  })
}

/** The bytes of quoted-printable (`=C3=A4`) in a text with one sign for each byte. */
function quotedBytes(text: string): Uint8Array {
  return bytesOf(Buffer.from(text, 'latin1'), EQUALS)
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
