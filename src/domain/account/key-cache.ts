import type { Principal, PrincipalReader } from '#domain/account/principal.ts'

/** The use of a key is written at most this often: one write for many calls. */
const KEY_USE_NOTED_EVERY_MS = 600_000

/** How many keys a thread caches. A home has a few; a database look-up would cost 10 µs per request. */
const KEYS_MAX = 1000
const KEY = /^sk_(?:live|test)_[0-9A-Za-z]{38}$/

export interface KeyCachePorts {
  readonly generation: () => number
  readonly hash: (secret: string) => Uint8Array
  /** Milliseconds of a monotonic clock. */
  readonly monoMs: () => number
  /** Asks the writer to record the use of a key. */
  readonly recordUse: (id: string) => void
}

/**
 * A cache from keys to their owners. It is cleared when any credential or plan changes (`generation`
 * differs), so a revoked key is invalid before the revocation is answered. Unknown keys are not cached.
 */
export class KeyCache {
  readonly #reader: PrincipalReader
  readonly #ports: KeyCachePorts
  readonly #known = new Map<string, Principal>()
  /** The time at which the use of each key was last reported, by key id. */
  readonly #reportedAt = new Map<string, number>()
  /** The generation to which the cached keys belong. */
  #generation: number

  constructor(reader: PrincipalReader, ports: KeyCachePorts) {
    this.#reader = reader
    this.#ports = ports
    this.#generation = ports.generation()
  }

  find(key: string): Principal | undefined {
    return this.#find(key, () => this.#read(key))
  }

  /** The owner of the key with this id, for a token that names the key by its id. */
  findById(keyId: string): Principal | undefined {
    return this.#find(keyId, () => this.#reader.byKeyId(keyId))
  }

  /** Keys and key ids share one cache, because no key looks like a key id. */
  #find(name: string, read: () => Principal | undefined): Principal | undefined {
    const generation = this.#ports.generation()
    if (generation !== this.#generation || this.#known.size >= KEYS_MAX) {
      this.#known.clear()
      this.#generation = generation
    }
    const found = this.#known.get(name) ?? read()
    if (found === undefined) return undefined
    this.#known.set(name, found)
    this.#noteUse(found.keyId ?? '')
    return found
  }

  #read(key: string): Principal | undefined {
    return KEY.test(key) ? this.#reader.byKey(this.#ports.hash(key)) : undefined
  }

  #noteUse(id: string): void {
    const now = this.#ports.monoMs()
    const reportedAt = this.#reportedAt.get(id)
    if (reportedAt !== undefined && now - reportedAt < KEY_USE_NOTED_EVERY_MS) return
    if (this.#reportedAt.size >= KEYS_MAX) this.#reportedAt.clear()
    this.#reportedAt.set(id, now)
    this.#ports.recordUse(id)
  }
}
