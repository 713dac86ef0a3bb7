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
