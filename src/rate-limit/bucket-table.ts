/**
 * All token buckets of the process, in one piece of shared memory that all listener threads use without a
 * lock.
 *
 * A slot is one 64-bit word. The upper 20 bits are a tag of the key. The lower 44 bits are the time at which
 * the bucket is full again (`gcra.ts`), in 1/64 ms since the table was made, which is enough for 8.7 years.
 * Because a word holds both, a single compare-and-exchange claims a slot, takes it over, or spends from it.
 * If the exchange fails, another thread has changed the slot, and this thread tries again. So no thread waits
 * for another.
 *
 * A key may be stored in any of the eight slots of its set (one cache line). If it is in none of them, it
 * takes over the slot whose bucket will be full first, and keeps that time. The bucket of an idle slot is
 * already full, so the key loses nothing. Only if all eight slots are in use does a new key start with less
 * than its capacity. So a table that is too small only makes the limits stricter, and a caller that changes
 * addresses quickly gains nothing.
 *
 * Why a key is never in two slots. Suppose that threads S and T both fail to find a key, that S claims slot A
 * for it, and that T later claims slot B. Each thread reads both slots before it claims one. A claim only
 * succeeds if the slot still has the word that the thread read, and the time in a slot never decreases. So:
 * - T read A before the claim of S: the time that T saw in A is at most the time that S saw in A.
 * - S read B before the claim of T: the time that S saw in B is at most the time that T saw in B.
 * - S preferred A: the time that S saw in A is at most the time that S saw in B.
 * - T preferred B: the time that T saw in B is at most the time that T saw in A.
 * Together, all four times are equal. But of equal times, both threads choose the slot that comes first in an
 * order that depends only on the key, so they would have chosen the same slot.
 *
 * When you change this file, never:
 * - choose a slot by the clock, because threads read it at different moments;
 * - decrease a time, for example to clear a slot or to start a new key with a full bucket;
 * - write without `compareExchange`;
 * - compare with a word that was read again after the choice.
 *
 * Two keys with the same tag in the same set share a bucket: one pair of accounts in five hundred million.
 */

import { stepAt, tokensLeft } from '#rate-limit/gcra.ts'

/** Buckets of the shared rate limiter. Accounts have separate buckets, so addresses cannot evict them. */
export const ACCOUNT_BUCKETS = 4096
export const ADDRESS_BUCKETS = 65_536
/**
 * How many slots of the table a key may be stored in: one cache line. With 500 active accounts, the chance
 * that all slots of a key are in use is one in a million.
 */
export const BUCKETS_PROBED = 8

/** Accounts have their own slots, so that a flood of calls from many addresses cannot use them up. */
export type Region = 'account' | 'address'

export interface Spending {
  /** Whether the bucket had a call left. If not, nothing was written. */
  readonly spent: boolean
  /** Time from now until the bucket is full again, after this call; 1/64 ms. */
  readonly aheadUnits: number
}

interface SlotRead {
  readonly index: number
  readonly word: bigint
}

/** Epoch, seed, and six unused words, so that the slots begin on a new cache line. */
const HEADER_WORDS = 8
const SLOTS_END = HEADER_WORDS + ACCOUNT_BUCKETS + ADDRESS_BUCKETS
const TIME_BITS = 44
const TAG_UNIT = 1n << BigInt(TIME_BITS)
/** The tag is the upper 20 of the 53 bits of the hash. The lower bits choose the slot. */
const HASH_TAG_UNIT = 2 ** 33

/** Makes the memory. `epochNs`: the current monotonic time. `seed`: 64 random bits, kept secret. */
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
    if (buffer.byteLength !== SLOTS_END * 8) throw new RangeError('this memory is not a bucket table')
    this.#words = new BigUint64Array(buffer)
    this.epochNs = Atomics.load(this.#words, 0)
    const seed = Atomics.load(this.#words, 1)
    this.#seedLow = Number(BigInt.asUintN(32, seed))
    this.#seedHigh = Number(seed >> 32n)
  }

  /** Takes one call from the key's bucket, if it has one left. `nowUnits`: time since the epoch, 1/64 ms. */
  spend(region: Region, key: string, pace: { limit: number; nowUnits: number }): Spending {
    const hash = hashKey(key, this.#seedLow, this.#seedHigh)
    const tagged = BigInt(Math.floor(hash / HASH_TAG_UNIT)) << BigInt(TIME_BITS)
    const home = homeOf(region, hash)
    for (;;) {
      const { index, word } = this.#find(home, tagged)
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
    const { word } = this.#find(homeOf(region, hash), tagged)
    return Math.max(0, Number(BigInt.asUintN(TIME_BITS, word)) - nowUnits)
  }

  /** Finds the key's slot, or else the slot that the key may take over. `word`: what was read from it. */
  #find(home: number, tagged: bigint): SlotRead {
    const taggedEnd = tagged + TAG_UNIT
    // Comparing words allocates no BigInt, but splitting them does. So first only search for the key.
    for (let i = 0; i < BUCKETS_PROBED; i++) {
      const index = home ^ i
      const word = Atomics.load(this.#words, index)
      if (word >= tagged && word < taggedEnd) return { index, word }
    }
    let chosen: SlotRead | null = null
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

/**
 * The slot at which the search for a key begins. `home ^ i` visits all slots of its set, in an order that
 * depends only on the key.
 */
function homeOf(region: Region, hash: number): number {
  return region === 'account'
    ? HEADER_WORDS + (hash % ACCOUNT_BUCKETS)
    : HEADER_WORDS + ACCOUNT_BUCKETS + (hash % ADDRESS_BUCKETS)
}

/**
 * Hashes a key to 53 bits with HalfSipHash-1-3 over its UTF-16 code units.
 *
 * Keys may be addresses that an attacker chose. So the hash has a secret seed: without knowing it, an
 * attacker cannot find addresses that share a set. The hash uses 32-bit words only, which JavaScript computes
 * fast. It has 53 bits, because a number cannot hold a longer integer; the table uses 36 of them.
 *
 * @see https://www.aumasson.jp/siphash/siphash.pdf and the 32-bit variant published by the same authors
 */
export function hashKey(key: string, seedLow: number, seedHigh: number): number {
  const wordsFull = key.length >>> 1
  let v0 = seedLow | 0
  let v1 = seedHigh ^ 0xee
  let v2 = seedLow ^ 0x6c796765
  let v3 = seedHigh ^ 0x74656462
  let low = 0
  // One round for each word, then three for each half of the result. A single loop keeps the state in
  // registers.
  for (let i = 0; i <= wordsFull + 6; i++) {
    let word = 0
    if (i < wordsFull) word = key.charCodeAt(2 * i) | (key.charCodeAt(2 * i + 1) << 16)
    else if (i === wordsFull) word = (key.length << 16) | (key.length & 1 ? key.charCodeAt(2 * i) : 0)
    else if (i === wordsFull + 1) v2 ^= 0xee
    else if (i === wordsFull + 4) {
      low = (v1 ^ v3) >>> 0
      v1 ^= 0xdd
    }
    v3 ^= word
    v0 = (v0 + v1) | 0
    v1 = ((v1 << 5) | (v1 >>> 27)) ^ v0
    v0 = (v0 << 16) | (v0 >>> 16)
    v2 = (v2 + v3) | 0
    v3 = ((v3 << 8) | (v3 >>> 24)) ^ v2
    v0 = (v0 + v3) | 0
    v3 = ((v3 << 7) | (v3 >>> 25)) ^ v0
    v2 = (v2 + v1) | 0
    v1 = ((v1 << 13) | (v1 >>> 19)) ^ v2
    v2 = (v2 << 16) | (v2 >>> 16)
    v0 ^= word
  }
  return ((v1 ^ v3) >>> 11) * 0x1_0000_0000 + low
}
