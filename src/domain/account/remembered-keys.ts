import { KEY_USE_NOTED_EVERY_MS } from '#contracts/session-bounds.ts'
import type { Principal, PrincipalReader } from '#domain/account/principal.ts'

/** Keys that one thread caches: a home has a handful, and a database look-up costs 10 µs a request. */
const KEYS_MAX = 1000
const KEY = /^sk_(?:live|test)_[0-9A-Za-z]{38}$/

export interface RememberedKeysPorts {
  readonly generation: () => number
  readonly hash: (secret: string) => Uint8Array
  /** Milliseconds of a monotonic clock. */
  readonly monoMs: () => number
  /** Asks the writer to record the use of a key. */
  readonly used: (id: string) => void
}

/**
 * A cache of the owners of keys, valid until any credential or plan changes (`generation` differs): a
 * revocation applies from the moment it is answered. Unknown keys are not cached.
 */
export class RememberedKeys {
  readonly #reader: PrincipalReader
  readonly #ports: RememberedKeysPorts
  readonly #known = new Map<string, Principal>()
  /** When the use of a key was last reported, by its id. */
  readonly #told = new Map<string, number>()
  #seen: number

  constructor(reader: PrincipalReader, ports: RememberedKeysPorts) {
    this.#reader = reader
    this.#ports = ports
    this.#seen = ports.generation()
  }

  find(key: string): Principal | undefined {
    return this.#find(key, () => this.#read(key))
  }

  /** Whose the key of this id is; for a token that names it. */
  findById(keyId: string): Principal | undefined {
    return this.#find(keyId, () => this.#reader.byKeyId(keyId))
  }

  /** Keys and their ids share one memory: no text is both. */
  #find(name: string, read: () => Principal | undefined): Principal | undefined {
    const generation = this.#ports.generation()
    if (generation !== this.#seen || this.#known.size >= KEYS_MAX) {
      this.#known.clear()
      this.#seen = generation
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
    const toldAt = this.#told.get(id)
    if (toldAt !== undefined && now - toldAt < KEY_USE_NOTED_EVERY_MS) return
    if (this.#told.size >= KEYS_MAX) this.#told.clear()
    this.#told.set(id, now)
    this.#ports.used(id)
  }
}
