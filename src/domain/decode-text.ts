/*
 * Bytes become text in one way at every door. Old devices declare a charset that they do not use, or none:
 * 1. a byte order mark decides
 * 2. then a declared UTF-16, UTF-32, ISO-2022 or GB charset, whose texts can look like those of others
 * 3. then UTF-8, if the bytes are valid UTF-8
 * 4. then any other declared charset but UTF-8
 * 5. otherwise windows-1252, the charset of most programs that declare none
 */

const PERCENT = 0x25
const UTF8 = new TextDecoder('utf-8', { fatal: true })
const LOOKS_LIKE_OTHERS = /^(?:utf-?(?:16|32)|ucs-?[24]|iso-2022|iso-10646|gb|hz-gb|chinese|csgb|x-gbk)/i
/** The charset in a Content-Type. @see RFC 9110, section 8.3.2 */
const CHARSET = /charset\s*=\s*["']?([\w.:-]{1,40})/i

/** The charset that a Content-Type declares; empty: none. */
export function charsetOf(contentType: string | null | undefined): string {
  return CHARSET.exec(contentType ?? '')?.[1] ?? ''
}

/** The Content-Type of bytes, once they are this text: it is not in the charset that they were in. */
export function typeOfText(contentType: string, text: string): string {
  const inUtf8 = (whole: string, name: string) => `${whole.slice(0, -name.length)}utf-8`
  return /\P{ASCII}/u.test(text) ? contentType.replace(CHARSET, inUtf8) : contentType
}

/** The text of bytes, without a byte order mark. `charset`: the declared one, or empty. Never throws. */
export function decodeText(bytes: Uint8Array, charset = ''): string {
  const marked = markOf(bytes)
  if (marked !== null) return decodeAs(bytes.subarray(marked.length), marked.charset) ?? ''
  const declared = LOOKS_LIKE_OTHERS.test(charset) ? decodeAs(bytes, charset) : null
  return declared ?? asUtf8(bytes) ?? asNamed(bytes, charset) ?? decodeAs(bytes, 'windows-1252') ?? ''
}

/**
 * Fields of a form or a query, in their order. Each name and value is decoded by itself, so that `St%F6rung`
 * is read beside values in UTF-8. `charset`: the declared one, or empty.
 */
export function decodeFields(text: string, charset = ''): [name: string, value: string][] {
  return text
    .split('&')
    .filter(pair => pair !== '')
    .map(pair => {
      const at = pair.indexOf('=')
      const [name, value] = at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)]
      return [
        decodePercent(name.replaceAll('+', ' '), charset),
        decodePercent(value.replaceAll('+', ' '), charset),
      ]
    })
}

/** A text with `%XX` in it. A % without two hexadecimal digits stays. */
export function decodePercent(text: string, charset = ''): string {
  return text.includes('%') ? decodeText(bytesOf(text), charset) : text
}

/** The bytes that a text with `%XX` stands for, or bytes with another `sign` than %. Changes given bytes. */
export function bytesOf(text: string | Uint8Array, sign = PERCENT): Uint8Array {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text
  let length = 0
  for (let at = 0; at < bytes.length; at++) {
    const digits = bytes[at] === sign ? String.fromCharCode(bytes[at + 1] ?? 0, bytes[at + 2] ?? 0) : ''
    const isByte = /^[\da-f]{2}$/i.test(digits)
    bytes[length++] = isByte ? Number.parseInt(digits, 16) : (bytes[at] ?? 0)
    if (isByte) at += 2
  }
  return bytes.subarray(0, length)
}

/** The first bytes, at most `bytesMax`. A character of UTF-8 is not cut in two, so that it is still UTF-8. */
export function startOf(bytes: Uint8Array, bytesMax: number): Uint8Array {
  let end = Math.min(bytes.length, bytesMax)
  if (end < bytes.length) while (end > bytesMax - 4 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--
  return bytes.subarray(0, end)
}

function markOf(bytes: Uint8Array): { readonly charset: string; readonly length: number } | null {
  const [a, b, c, d] = bytes
  if (a === 0xef && b === 0xbb && c === 0xbf) return { charset: 'utf-8', length: 3 }
  if (a === 0xff && b === 0xfe)
    return c === 0 && d === 0 ? { charset: 'utf-32le', length: 4 } : { charset: 'utf-16le', length: 2 }
  if (a === 0xfe && b === 0xff) return { charset: 'utf-16be', length: 2 }
  return a === 0 && b === 0 && c === 0xfe && d === 0xff ? { charset: 'utf-32be', length: 4 } : null
}

function asUtf8(bytes: Uint8Array): string | null {
  try {
    return UTF8.decode(bytes)
  } catch {
    return null
  }
}

/** Bytes that are not UTF-8 although their sender says so are in no named charset. */
function asNamed(bytes: Uint8Array, charset: string): string | null {
  return /^utf-?8$/i.test(charset) ? null : decodeAs(bytes, charset)
}

/** The text of bytes in just this charset. Null for an unknown charset, or an empty one. */
export function decodeAs(bytes: Uint8Array, charset: string): string | null {
  if (/^(?:utf-?32|ucs-?4)/i.test(charset)) return decodeUtf32(bytes, /le$/i.test(charset))
  // Without a mark the place of the zero in the first sign tells: RFC 2781 says big-endian, but many
  // programs write the little end first.
  const isOpen = /^(?:utf-?16|ucs-?2|iso-10646-ucs-2)$/i.test(charset)
  const name = isOpen ? (bytes[0] === 0 || bytes[1] !== 0 ? 'utf-16be' : 'utf-16le') : charset
  try {
    return new TextDecoder(name).decode(bytes)
  } catch {
    return null
  }
}

/** The decoder does not know UTF-32. */
function decodeUtf32(bytes: Uint8Array, isLittleEndian: boolean): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const signs: string[] = []
  for (let at = 0; at + 4 <= view.byteLength; at += 4) {
    const code = view.getUint32(at, isLittleEndian)
    signs.push(code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? '\ufffd' : String.fromCodePoint(code))
  }
  return signs.join('')
}
