import type { JsonObject } from '#domain/alert/read/json-value.ts'

const FIELDS = 'subject|from|to|cc|date|reply-to|message-id|mime-version|content-[\\w-]+|x-[\\w-]+'
/** The head of a mail that a script wrote: nothing says where it ends but the first line that is no field. */
const PLAIN_HEAD = new RegExp(`^(?:(?:${FIELDS}): ?[^\\n]*(?:\\n|$)){1,20}`, 'i')
/** A line of a head, or the rest of a folded one. */
const FIELD_LINE = /^(?:[!-9;-~]{1,64}:(?: |\t|$)|[ \t]|From )/
/** What a program that sends mail writes beside the subject. */
const MAIL_ONLY = /^(?:from|to|received|return-path|message-id|mime-version|content-type):/im
const HEAD_LENGTH_MAX = 16_384
const PARTS_MAX = 32
const DEPTH_MAX = 4

const ENCODED_WORD = /=\?([\w-]{1,40})\?([BQ])\?([^?\s]*)\?=(?:\s+(?==\?))?/gi

/**
 * A text that begins as a mail does: its subject as `title` and its plain text (else its HTML) as `message`,
 * decoded. Any other text is a message. @see RFC 5322, RFC 2045, RFC 2046
 */
export function readMail(text: string): JsonObject {
  const unix = text.replace(/\r\n/g, '\n')
  const head = headOf(unix)
  const subject = fieldOf(head, 'subject')
  if (subject === '') return { message: text }
  const message = contentOf(head, unix.slice(head.length), 0).trim()
  return { title: decodeWords(subject), message: message || decodeWords(subject) }
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

/** A field's value, unfolded. */
function fieldOf(head: string, name: string): string {
  const found = new RegExp(`^${name}:[ \\t]*([^\\n]*(?:\\n[ \\t][^\\n]*)*)`, 'im').exec(head)
  return (found?.[1] ?? '').replace(/\n[ \t]+/g, ' ').trim()
}

/** The words of a part: of several, the first plain text, else the first that has any. */
function contentOf(head: string, body: string, depth: number): string {
  const type = fieldOf(head, 'content-type')
  const boundary = /^multipart\/.*?boundary="?([^";\n]{1,70})/i.exec(type)?.[1]
  if (boundary !== undefined) return depth < DEPTH_MAX ? chooseOf(body, boundary.trim(), depth) : ''
  if (type !== '' && !/^(?:text|message)\//i.test(type)) return ''
  const charset = /charset="?([\w.:-]{1,40})/i.exec(type)?.[1] ?? 'utf-8'
  const encoding = fieldOf(head, 'content-transfer-encoding').toLowerCase()
  if (encoding === 'quoted-printable') return unquote(body.replace(/=[ \t]*\n/g, ''), charset)
  if (encoding !== 'base64') return body
  return decodeBytes(unbase64(body), charset) ?? ''
}

function chooseOf(body: string, boundary: string, depth: number): string {
  const parts = `\n${body}`
    .split(`\n--${boundary}`, PARTS_MAX)
    .slice(1)
    .filter(part => !part.startsWith('--'))
    .map(part => {
      const end = part.indexOf('\n\n')
      const head = part.slice(0, end < 0 ? part.length : end + 1).replace(/^[ \t]*\n/, '')
      const isText = /^(?:text\/plain|multipart\/)|^$/i.test(fieldOf(head, 'content-type'))
      const isFile = /^attachment/i.test(fieldOf(head, 'content-disposition'))
      return { isText, text: isFile || end < 0 ? '' : contentOf(head, part.slice(end + 2), depth + 1) }
    })
    .filter(part => part.text.trim() !== '')
  return (parts.find(part => part.isText) ?? parts[0])?.text ?? ''
}

/**
 * A header in other than ASCII as mail and ntfy's clients write it: `=?UTF-8?B?…?=`.
 * @see RFC 2047
 */
export function decodeWords(header: string): string {
  return header.replace(ENCODED_WORD, (word: string, ...parts: string[]) => {
    const [charset = '', kind, text = ''] = parts
    if (kind?.toUpperCase() !== 'B') return unquote(text.replace(/_/g, ' '), charset)
    return decodeBytes(unbase64(text), charset) ?? word
  })
}

/** Runs of `=C3=A4`; one that is no text of its charset stays as it is. */
function unquote(text: string, charset: string): string {
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

/** `null` for what is no base64. */
function unbase64(text: string): Uint8Array | null {
  try {
    return Uint8Array.from(atob(text.replace(/\s+/g, '')), octet => octet.charCodeAt(0))
  } catch {
    return null
  }
}

/** `null` for no bytes, or a charset that nobody knows. */
function decodeBytes(bytes: Uint8Array | null, charset: string): string | null {
  if (bytes === null) return null
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch {
    return null
  }
}
