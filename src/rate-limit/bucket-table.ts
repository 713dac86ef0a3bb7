/**
 * All buckets of the process in one piece of shared memory, used by every listener thread without a lock.
 *
 * A slot is one 64-bit word: the upper 20 bits are a tag of the key, the lower 44 the time at which its
 * bucket is full again (`gcra.ts`), in 1/64 ms since the table was made: enough for 8.7 years of running.
 * Since key and bucket are one word, claiming a slot, taking it over and spending from it are all the same
 * single compare-and-exchange. A thread whose exchange fails starts over; another thread's succeeded, so no
 * thread ever waits for another.
 *
 * A key may live in the eight slots of its set (one cache line). If it is not there, it takes over the slot
 * whose bucket will be full first, and inherits how full that bucket is: the bucket of an idle slot is full,
 * so the key loses nothing. Only when all eight are in use does a newcomer get less than its capacity. A
 * table that is too small therefore grows stricter and never lets through more than its slots hold, and a
 * caller that changes addresses quickly gains nothing.
 *
 * Why it is exact: the time in a slot only ever grows. Suppose two threads miss the same key and claim slots
 * A and then B ≠ A. The second did not see the claim of A, so it read A earlier, when A was no later than the
 * first thread found it. Each found its own slot unchanged when it claimed it, so each also saw the other's
 * slot no later than it was then. The first chose A over B and the second B over A, by time and then by order
 * in the set, which is the same for one key: a contradiction. So a key is never in two slots.
 *
 * A change of this file must not: choose a slot by the clock (threads read it at different moments), make a
 * time smaller (clear a slot, or start a new key with a full bucket), write without compareExchange, or
 * compare against a word that was read again after the choice.
 *
 * Two keys with one tag in one set share a bucket: one pair of accounts in five hundred million.
 */
import { ACCOUNT_BUCKETS, ADDRESS_BUCKETS, BUCKETS_PROBED } from '#contracts/bounds.ts'
import { stepAt, tokensLeft } from '#rate-limit/gcra.ts'
import { hashKey } from '#rate-limit/key-hash.ts'

/** Accounts have their own slots, so that a flood of calls from many addresses cannot take them. */
export type Region = 'account' | 'address'

export interface Spending {
  /** Whether the bucket held a call; nothing was written if not. */
  readonly spent: boolean
  /** Time from now until the bucket is full again, after this call; 1/64 ms. */
  readonly aheadUnits: number
}

interface Seen {
  readonly index: number
  readonly word: bigint
}

/** Epoch, seed, and six unused words: the slots begin on a cache line of their own. */
const HEADER_WORDS = 8
const SLOTS_END = HEADER_WORDS + ACCOUNT_BUCKETS + ADDRESS_BUCKETS
const TIME_BITS = 44
const TAG_UNIT = 1n << BigInt(TIME_BITS)
/** The tag is the upper 20 of the 53 bits of the hash, the slot comes from the lower ones. */
const HASH_TAG_UNIT = 2 ** 33

/** Makes the memory; `seed` must be random and secret, `epochNs` is the monotonic time of now. */
export function createTable(epochNs: bigint, seed: bigint): SharedArrayBuffer {
  const buffer = new SharedArrayBuffer(SLOTS_END * 8)
  const words = new BigUint64Array(buffer)
  words[0] = epochNs
  words[1] = seed
  return buffer
}

export class BucketTable {
  readonly epochNs: bigint
  readonly #words: BigUint64Array
  readonly #seedLow: number
  readonly #seedHigh: number

  constructor(buffer: SharedArrayBuffer) {
    if (buffer.byteLength !== SLOTS_END * 8) throw new RangeError('this memory is no bucket table')
    this.#words = new BigUint64Array(buffer)
    this.epochNs = Atomics.load(this.#words, 0)
    const seed = Atomics.load(this.#words, 1)
    this.#seedLow = Number(BigInt.asUintN(32, seed))
    this.#seedHigh = Number(seed >> 32n)
  }

  /** Takes one call out of the key's bucket if it holds one; `nowUnits` counts from the epoch. */
  spend(region: Region, key: string, pace: { limit: number; nowUnits: number }): Spending {
    const hash = hashKey(key, this.#seedLow, this.#seedHigh)
    const tagged = BigInt(Math.floor(hash / HASH_TAG_UNIT)) << BigInt(TIME_BITS)
    const home = homeOf(region, hash)
    for (;;) {
      const { index, word } = this.#look(home, tagged)
      const full = Math.max(pace.nowUnits, Number(BigInt.asUintN(TIME_BITS, word)))
      if (tokensLeft(full - pace.nowUnits, pace.limit) < 1) {
        return { spent: false, aheadUnits: full - pace.nowUnits }
      }
      const fullAfter = full + stepAt(full, pace.limit)
      const wordAfter = tagged | BigInt.asUintN(TIME_BITS, BigInt(fullAfter))
      if (Atomics.compareExchange(this.#words, index, word, wordAfter) === word) {
        return { spent: true, aheadUnits: fullAfter - pace.nowUnits }
      }
    }
  }

  /** Time from now until the bucket that `spend` would use is full again; 1/64 ms. Writes nothing. */
  aheadUnits(region: Region, key: string, nowUnits: number): number {
    const hash = hashKey(key, this.#seedLow, this.#seedHigh)
    const tagged = BigInt(Math.floor(hash / HASH_TAG_UNIT)) << BigInt(TIME_BITS)
    const { word } = this.#look(homeOf(region, hash), tagged)
    return Math.max(0, Number(BigInt.asUintN(TIME_BITS, word)) - nowUnits)
  }

  /** The key's own slot, else the slot that it may take over; with the word in it when it was chosen. */
  #look(home: number, tagged: bigint): Seen {
    const taggedEnd = tagged + TAG_UNIT
    // To compare words allocates no BigInt, to split them does: so first only check whether the key is there.
    for (let i = 0; i < BUCKETS_PROBED; i++) {
      const index = home ^ i
      const word = Atomics.load(this.#words, index)
      if (word >= tagged && word < taggedEnd) return { index, word }
    }
    let chosen: Seen | null = null
    let chosenTime = TAG_UNIT
    for (let i = 0; i < BUCKETS_PROBED; i++) {
      const index = home ^ i
      const word = Atomics.load(this.#words, index)
      if (word >= tagged && word < taggedEnd) return { index, word }
      const time = BigInt.asUintN(TIME_BITS, word)
      if (time < chosenTime) {
        chosen = { index, word }
        chosenTime = time
      }
    }
    if (chosen === null) throw new Error('a bucket set has no slot')
    return chosen
  }
}

/** The slot at which a key's search begins; `home ^ i` walks the rest of its set, in an order of its own. */
function homeOf(region: Region, hash: number): number {
  return region === 'account'
    ? HEADER_WORDS + (hash % ACCOUNT_BUCKETS)
    : HEADER_WORDS + ACCOUNT_BUCKETS + (hash % ADDRESS_BUCKETS)
}
