/**
 * The entries of a cluster's log: each is encrypted (AES-256-GCM) and holds the hash of the one before, so
 * that nobody but the members can read, change, reorder or invent one.
 *
 * A value is the version (1 byte), the salt of its term (16), the ciphertext, and GCM's tag (16). A term is
 * the time of one leader; its key is derived from the cluster's key and the salt. The nonce is the number of
 * the entry, so a key never sees a nonce twice.
 */
import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto'

/**
 * `changes`: the patchset of a transaction; `more`: the first parts of a long one; `lead`: a new leader.
 */
export const ENTRY_KINDS = ['changes', 'more', 'lead'] as const
export type EntryKind = (typeof ENTRY_KINDS)[number]

export interface Entry {
  readonly kind: EntryKind
  /** The version of the schema to which a copy is migrated before it takes the entry. */
  readonly schema: number
  /** Hash of the entry before. */
  readonly previous: Uint8Array
  readonly body: Uint8Array
}

/** Which entry it is. Both are authenticated. */
export interface EntryPlace {
  readonly clusterId: string
  readonly number: number
}

const VERSION = 1
const SALT_BYTES = 16
const TAG_BYTES = 16
const HASH_BYTES = 32
/** Kind, schema, and hash of the entry before. */
const HEAD_BYTES = 1 + 2 + HASH_BYTES

export class TermKey {
  readonly salt: Uint8Array
  readonly key: Uint8Array

  /** `clusterKey`: 32 bytes. `salt`: 16 random bytes that no other term has. */
  constructor(clusterKey: Uint8Array, salt: Uint8Array) {
    this.salt = salt
    this.key = new Uint8Array(hkdfSync('sha256', clusterKey, salt, 'roost log', 32))
  }
}

export function sealEntry(term: TermKey, place: EntryPlace, entry: Entry): Uint8Array {
  const cipher = createCipheriv('aes-256-gcm', term.key, nonceOf(place.number))
  cipher.setAAD(associated(place))
  const head = Buffer.alloc(3)
  head.writeUInt8(ENTRY_KINDS.indexOf(entry.kind))
  head.writeUInt16LE(entry.schema, 1)
  const parts = [head, entry.previous, entry.body].map(part => cipher.update(part))
  return Buffer.concat([Buffer.of(VERSION), term.salt, ...parts, cipher.final(), cipher.getAuthTag()])
}

/** Opens entries. Keeps the key of the last term. */
export class EntryOpener {
  readonly #clusterKey: Uint8Array
  #term: TermKey | null = null

  constructor(clusterKey: Uint8Array) {
    this.#clusterKey = clusterKey
  }

  /** @throws Error when the value is not the entry of this place, or was made with another key */
  open(value: Uint8Array, place: EntryPlace): Entry {
    const end = value.length - TAG_BYTES
    if (value[0] !== VERSION || end < 1 + SALT_BYTES + HEAD_BYTES) throw new Error('this is no entry')
    const salt = value.subarray(1, 1 + SALT_BYTES)
    if (this.#term === null || Buffer.compare(this.#term.salt, salt) !== 0)
      this.#term = new TermKey(this.#clusterKey, salt.slice())
    const decipher = createDecipheriv('aes-256-gcm', this.#term.key, nonceOf(place.number))
    decipher.setAAD(associated(place))
    decipher.setAuthTag(value.subarray(end))
    const plain = Buffer.concat([decipher.update(value.subarray(1 + SALT_BYTES, end)), decipher.final()])
    const kind = ENTRY_KINDS[plain.readUInt8()]
    if (kind === undefined) throw new Error('a newer version of Roost wrote this entry')
    return {
      kind,
      schema: plain.readUInt16LE(1),
      previous: plain.subarray(3, HEAD_BYTES),
      body: plain.subarray(HEAD_BYTES),
    }
  }
}

function nonceOf(number: number): Uint8Array {
  const nonce = Buffer.alloc(12)
  nonce.writeBigUInt64BE(BigInt(number), 4)
  return nonce
}

function associated({ clusterId, number }: EntryPlace): Uint8Array {
  return Buffer.from(`${clusterId} ${number}`)
}
