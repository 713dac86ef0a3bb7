/** A run of base64 of this length is a file such as a picture, not a word or a hash. */
const BASE64_LENGTH_MIN = 256
/** One character repeated this often is a file of zeros. */
const ZEROS_LENGTH_MIN = 4096
/** A mail breaks base64 into lines of 76 characters. A line shorter than this is the last one of a file. */
const LINE_LENGTH_MIN = 40

/** A token in a link, such as that of AWS SNS, has a few hundred hexadecimal digits. */
const TOKEN_LENGTH_MAX = 1024

const DATA_URI = /data:[\w.+-]{0,80}\/?[\w.+-]{0,80}(?:;[\w.=-]{0,80}){0,4};base64,$/
const DATA_URI_END = ';base64,'
const DATA_URI_LENGTH_MAX = 512

const BACKSLASH = 0x5c
const PERCENT = 0x25
const EQUALS = 0x3d
const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
const LINE_ENDS = ['\\n', '\\r\\n', '\r\n', '%0A', '%0D%0A', '%0a', '%0d%0a']
/** The characters of base64 and of its URL variant, without the padding `=`. */
const IS_BASE64 = tableOf('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_')

/**
 * Removes base64: camera snapshots, screenshots and files that senders put into their alerts. The base64 may
 * contain the line breaks of mail and the escapes of JSON and forms. The time is linear for any text.
 */
export function dropBase64(text: string): string {
  if (text.length < BASE64_LENGTH_MIN) return text
  const kept: string[] = []
  let keptTo = 0
  let stretch = -1
  let uri = -1
  for (let at = 0; ; ) {
    if (stretch < at) stretch = nextStretch(text, at)
    if (uri < at) uri = afterUriHead(text, at)
    at = Math.min(stretch, uri)
    if (at >= text.length) break
    const end = text[at] === '=' ? at : endOfRun(text, at)
    if (end === at) {
      at += 1
      continue
    }
    const head = dataUriBefore(text, at)
    if (head < at || (end - at >= BASE64_LENGTH_MIN && !isWord(text, at, end))) {
      kept.push(text.slice(keptTo, Math.max(head, keptTo)))
      keptTo = end
    }
    at = end
  }
  return keptTo === 0 ? text : kept.join('') + text.slice(keptTo)
}

/** Where the next data of a `data:…;base64,` begin, or the length of the text. */
function afterUriHead(text: string, from: number): number {
  const at = text.indexOf(DATA_URI_END, Math.max(0, from - DATA_URI_END.length))
  return at < 0 ? text.length : at + DATA_URI_END.length
}

/**
 * Where the next stretch of a whole line of base64 begins, or the length of the text. Each stretch is read
 * from its end, so that of a text of words most characters are never looked at.
 */
function nextStretch(text: string, from: number): number {
  for (let start = from; start + LINE_LENGTH_MIN <= text.length; ) {
    let at = start + LINE_LENGTH_MIN - 1
    while (at >= start && charLength(text, at) > 0) at -= 1
    if (at < start) return start
    start = at + Math.max(1, text.charCodeAt(at) === PERCENT ? paddingLength(text, at) : 0)
  }
  return text.length
}

/**
 * Whether a run is text: only lower-case letters, a token in hexadecimal digits, or one repeated character
 * in a run that is too short for a file of zeros.
 */
function isWord(text: string, from: number, end: number): boolean {
  const head = text.slice(from, Math.min(end, from + BASE64_LENGTH_MIN))
  if (end - from < TOKEN_LENGTH_MAX && /^[\da-f]+$/.test(head)) return true
  return /^[a-z]+$/.test(head) || (end - from < ZEROS_LENGTH_MIN && /^(.)\1+$/.test(head))
}

/** Where the run of base64 that starts here ends. */
function endOfRun(text: string, start: number): number {
  let at = start
  let lineFrom = start
  for (;;) {
    // Nearly all characters are plain, and a call for each of them would take most of the time.
    while (IS_BASE64[text.charCodeAt(at)] === 1) at += 1
    const length = charLength(text, at)
    if (length > 0) {
      at += length
      continue
    }
    const lineEnd = at - lineFrom >= LINE_LENGTH_MIN ? lineEndLength(text, at) : 0
    if (lineEnd === 0 || charLength(text, at + lineEnd) === 0) return at + paddingLength(text, at)
    at += lineEnd
    lineFrom = at
  }
}

/** The length of one base64 character, plain or escaped (`\/` in JSON, `%2B` and `%2F` in a form), or 0. */
function charLength(text: string, at: number): number {
  const code = text.charCodeAt(at)
  if (IS_BASE64[code] === 1) return 1
  if (code === BACKSLASH) return text[at + 1] === '/' ? 2 : 0
  if (code !== PERCENT || text[at + 1] !== '2') return 0
  return 'BbFf'.includes(text[at + 2] ?? ' ') ? 3 : 0
}

function paddingLength(text: string, at: number): number {
  const code = text.charCodeAt(at)
  if (code !== EQUALS && (code !== PERCENT || text[at + 1] !== '3')) return 0
  return /^(?:={1,2}|(?:%3D){1,2})/i.exec(text.slice(at, at + 6))?.[0].length ?? 0
}

/** The length of the line break here, plain or escaped, or 0. */
function lineEndLength(text: string, at: number): number {
  const code = text.charCodeAt(at)
  if (code === LINE_FEED) return 1
  if (code !== BACKSLASH && code !== PERCENT && code !== CARRIAGE_RETURN) return 0
  return LINE_ENDS.find(end => text.startsWith(end, at))?.length ?? 0
}

/** Where the `data:…;base64,` that ends at `at` begins, or `at` if there is none. */
function dataUriBefore(text: string, at: number): number {
  if (!text.startsWith(DATA_URI_END, at - DATA_URI_END.length)) return at
  const before = text.slice(Math.max(0, at - DATA_URI_LENGTH_MAX), at)
  const found = DATA_URI.exec(before.slice(Math.max(0, before.lastIndexOf('data:'))))
  return found === null ? at : at - found[0].length
}

function tableOf(characters: string): Uint8Array {
  const table = new Uint8Array(128)
  for (const character of characters) table[character.charCodeAt(0)] = 1
  return table
}
