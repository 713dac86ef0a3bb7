import type { Principal, PrincipalReader } from '#domain/account/principal.ts'

/** Keys that one thread remembers: a home has a handful, a look-up in the database costs 10 µs a request. */
const KEYS_MAX = 1000

/**
 * Who a key belongs to, remembered until any credential or plan changes (`generation` differs): a revocation
 * counts from the moment it is answered. Unknown keys are not remembered.
 */
export class RememberedKeys {
  readonly #reader: PrincipalReader
  readonly #generation: () => number
  readonly #hash: (secret: string) => Uint8Array
  readonly #known = new Map<string, Principal>()
  #seen: number

  constructor(
    reader: PrincipalReader,
    ports: { readonly generation: () => number; readonly hash: (secret: string) => Uint8Array },
  ) {
    this.#reader = reader
    this.#generation = ports.generation
    this.#hash = ports.hash
    this.#seen = ports.generation()
  }

  find(key: string): Principal | undefined {
    const generation = this.#generation()
    if (generation !== this.#seen || this.#known.size >= KEYS_MAX) {
      this.#known.clear()
      this.#seen = generation
    }
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const found = this.#reader.byKey(this.#hash(key))
    if (found !== undefined) this.#known.set(key, found)
    return found
  }
}
