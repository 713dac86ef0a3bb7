import { createHash, createHmac, randomBytes, randomFillSync, randomInt, timingSafeEqual } from 'node:crypto'
import type { Source } from '#domain/source.ts'

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const SECRET_LENGTH = 32
const CHECKSUM_LENGTH = 6

/** Identifiers and secrets from the operating system's randomness; `codeKey` seals codes. */
export function systemSource(codeKey: Uint8Array): Source {
  const ulid = ulidSource()
  return {
    id: (prefix, wallMs) => prefix + ulid(wallMs),
    secret(prefix) {
      const secret = prefix + base62(SECRET_LENGTH)
      return secret + checksum(secret)
    },
    signingSecret: () => `whsec_${randomBytes(32).toString('base64')}`,
    digits: count => String(randomInt(10 ** count)).padStart(count, '0'),
    hash,
    mac: text => createHmac('sha256', codeKey).update(text).digest(),
    isSameMac: (one, other) => one.length === other.length && timingSafeEqual(one, other),
  }
}

/** SHA-256 is enough for secrets of 190 bits, which cannot be guessed. */
export function hash(secret: string): Uint8Array {
  return createHash('sha256').update(secret).digest()
}

/** Whether the checksum at the end matches: a mistyped key is refused without a query. */
export function isWellFormedSecret(secret: string): boolean {
  const body = secret.slice(0, -CHECKSUM_LENGTH)
  return /_[0-9A-Za-z]{38}$/.test(secret) && checksum(body) === secret.slice(-CHECKSUM_LENGTH)
}

/**
 * ULIDs: 48 bits of milliseconds, 80 random bits. Within a millisecond, or when the clock goes back, the last
 * one is incremented, so that a later one always sorts later.
 *
 * @see https://github.com/ulid/spec
 */
function ulidSource(): (wallMs: number) => string {
  const bytes = new Uint8Array(16)
  let lastMs = -1
  return wallMs => {
    if (wallMs > lastMs) {
      lastMs = wallMs
      randomFillSync(bytes, 6)
      for (let i = 5, rest = wallMs; i >= 0; i--, rest = Math.floor(rest / 256)) bytes[i] = rest % 256
      // The top bit stays 0, so that incrementing never overflows into the time.
      bytes[6] = (bytes[6] ?? 0) & 0x7f
    } else countUp(bytes)
    return crockford(bytes)
  }
}

function countUp(bytes: Uint8Array): void {
  for (let i = 15; i >= 6; i--) {
    bytes[i] = ((bytes[i] ?? 0) + 1) & 0xff
    if (bytes[i] !== 0) return
  }
}

/** 128 bits as 26 characters, most significant first; the first character holds three bits. */
function crockford(bytes: Uint8Array): string {
  let text = ''
  let bits = 0
  let held = 2
  for (const byte of bytes) {
    bits = (bits << 8) | byte
    held += 8
    while (held >= 5) {
      held -= 5
      text += CROCKFORD[(bits >>> held) & 31]
    }
    bits &= (1 << held) - 1
  }
  return text
}

function base62(length: number): string {
  let text = ''
  while (text.length < length)
    for (const byte of randomBytes(length)) {
      // 248 is the largest multiple of 62 below 256: no character is likelier than another.
      if (byte < 248 && text.length < length) text += BASE62[byte % 62]
    }
  return text
}

function checksum(text: string): string {
  let value = createHash('sha256').update(text).digest().readUIntBE(0, 6)
  let out = ''
  for (let i = 0; i < CHECKSUM_LENGTH; i++, value = Math.floor(value / 62)) out += BASE62[value % 62]
  return out
}
