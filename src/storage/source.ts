import { createHash, createHmac, randomBytes, randomFillSync, randomInt, timingSafeEqual } from 'node:crypto'
import type { Source } from '#domain/source.ts'

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const SECRET_LENGTH = 32
const CHECKSUM_LENGTH = 6

/**
 * Makes identifiers and secrets from the operating system's random numbers. `codeKey`: key for MACs of codes.
 */
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

/** The hash under which a secret is stored. SHA-256 is enough for random secrets of 190 bits. */
export function hash(secret: string): Uint8Array {
  return createHash('sha256').update(secret).digest()
}

/** Whether form and checksum of a secret are right, so that a mistyped key is refused without a query. */
export function isWellFormedSecret(secret: string): boolean {
  const body = secret.slice(0, -CHECKSUM_LENGTH)
  return /_[0-9A-Za-z]{38}$/.test(secret) && checksum(body) === secret.slice(-CHECKSUM_LENGTH)
}

/**
 * Makes ULIDs: 48 bits of milliseconds and 80 random bits. Within the same millisecond, or when the clock
 * goes back, the last ULID is incremented, so that each new one sorts after the one before.
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
      // Keep the top random bit 0, so that incrementing cannot overflow into the time.
      bytes[6] = (bytes[6] ?? 0) & 0x7f
    } else increment(bytes)
    return crockford(bytes)
  }
}

function increment(bytes: Uint8Array): void {
  for (let i = 15; i >= 6; i--) {
    bytes[i] = ((bytes[i] ?? 0) + 1) & 0xff
    if (bytes[i] !== 0) return
  }
}

/** Encodes 128 bits as 26 characters of Crockford's base32; the first character has only three bits. */
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
      // Take bytes below 248 = 4 × 62 only, so that all characters are equally likely.
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
