import type { IdPrefix } from '#contracts/kinds.ts'

/** Identifiers and secrets, generated outside the domain. */
export interface Source {
  /** `prefix` and a ULID. A later id sorts after an earlier one, even within one millisecond. */
  id(prefix: IdPrefix, wallMs: number): string
  /** `whsec_` and base64 of 32 bytes. */
  signingSecret(): string
  /** `prefix`, 32 random base62 characters and a checksum. Without a prefix: for a URL or a session. */
  secret(prefix: 'sk_live_' | 'sk_test_' | 'dvt_' | '' | 'stp_' | 'inv_'): string
  /** A text of `count` random decimal digits. */
  digits(count: number): string
  /** Eight random characters of Crockford's base32: 40 bits. */
  drillCode(): string
  /** SHA-256. */
  hash(secret: string): Uint8Array
  /** HMAC-SHA256 with the code key, for values too short for a bare hash. */
  mac(text: string): Uint8Array
  /** Compares two MACs in constant time. */
  isSameMac(one: Uint8Array, other: Uint8Array): boolean
}
