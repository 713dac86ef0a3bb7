import { createHash, createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import type { Source } from '#domain/source.ts'

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const SECRET_LENGTH = 32
const CHECKSUM_LENGTH = 6
/** Random bytes for 100 ULIDs: fetching the ten bytes of each alone would take most of its time. */
const RANDOM_BYTES = 1000

/**
 * Makes identifiers and secrets from the operating system's random numbers.
 *
 * @param codeKey the key of `mac`
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
    drillCode: () => crockfordTail(randomBytes(5).readUIntBE(0, 5)),
    hash,
    mac: text => createHmac('sha256', codeKey).update(text).digest(),
    isSameMac: (one, other) => one.length === other.length && timingSafeEqual(one, other),
  }
}

/** The hash under which a secret is stored. SHA-256 is enough for random secrets of 190 bits. */
export function hash(secret: string): Uint8Array {
  return createHash('sha256').update(secret).digest()
}

/** A prefix that ends with `_`, then the secret and its checksum. */
const SECRET_FORM = new RegExp(`_[0-9A-Za-z]{${SECRET_LENGTH + CHECKSUM_LENGTH}}$`)

/** Whether form and checksum of a secret are right, so that a mistyped key is refused without a query. */
export function isWellFormedSecret(secret: string): boolean {
  const body = secret.slice(0, -CHECKSUM_LENGTH)
  return SECRET_FORM.test(secret) && checksum(body) === secret.slice(-CHECKSUM_LENGTH)
}

/**
 * Makes ULIDs: 48 bits of milliseconds and 80 random bits. Within the same millisecond, or when the clock
 * goes back, the last ULID is incremented, so that each new one sorts after the one before. Only the last 40
 * bits (`tail`) are incremented, so the first 18 characters (`head`) are computed once for a millisecond.
 *
 * @see https://github.com/ulid/spec
 */
function ulidSource(): (wallMs: number) => string {
  const bytes = Buffer.alloc(16)
  let random = Buffer.alloc(0)
  let lastMs = -1
  let head = ''
  let tail = 0
  return wallMs => {
    if (wallMs > lastMs) {
      lastMs = wallMs
      bytes.writeUIntBE(wallMs, 0, 6)
      if (random.length === 0) random = randomBytes(RANDOM_BYTES)
      random.copy(bytes, 6)
      random = random.subarray(10)
      head = crockfordHead(bytes)
      // Keep the top bit 0, so that incrementing cannot overflow into the head before 2^39 ids.
      tail = bytes.readUIntBE(11, 5) % 2 ** 39
    } else tail += 1
    return head + crockfordTail(tail)
  }
}

/** The first 11 bytes as 18 characters, most significant first. */
function crockfordHead(bytes: Uint8Array): string {
  let text = ''
  let bits = 0
  // 88 bits and two zero bits before them make 18 characters of five bits.
  let bitCount = 2
  for (const byte of bytes.subarray(0, 11)) {
    bits = (bits << 8) | byte
    bitCount += 8
    while (bitCount >= 5) {
      bitCount -= 5
      text += CROCKFORD[(bits >>> bitCount) & 31]
    }
    bits &= (1 << bitCount) - 1
  }
  return text
}

/** 40 bits as 8 characters. */
function crockfordTail(tail: number): string {
  const [high, low] = [Math.floor(tail / 2 ** 20), tail % 2 ** 20]
  return fourCharacters(high) + fourCharacters(low)
}

/** 20 bits as 4 characters. */
function fourCharacters(bits: number): string {
  const at = (shift: number) => CROCKFORD[(bits >>> shift) & 31] ?? ''
  return at(15) + at(10) + at(5) + at(0)
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
