/** Identifiers and secrets, generated outside the domain. */
export interface Source {
  /** `prefix` + ULID; later ones sort later, also within a millisecond. */
  id(prefix: 'acc_' | 'key_' | 'dev_' | 'msg_' | 'ses_' | 'rcv_' | 'evt_' | 'whk_', wallMs: number): string
  /** `whsec_` and base64 of 32 bytes. */
  signingSecret(): string
  /** A secret of 32 base62 characters behind its prefix, with a checksum; no prefix: for use in a path. */
  secret(prefix: 'sk_live_' | 'sk_test_' | 'dvt_' | '' | 'stp_'): string
  /** Decimal digits. */
  digits(count: number): string
  /** SHA-256. */
  hash(secret: string): Uint8Array
  /** HMAC-SHA256 with the code key, for values too short for a bare hash. */
  mac(text: string): Uint8Array
  /** Compares two MACs in constant time. */
  isSameMac(one: Uint8Array, other: Uint8Array): boolean
}
