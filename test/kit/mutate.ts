/** Damages bytes in ways that break parsers. The same seed gives the same bytes. */

/** Numbers in [0, 1), always the same ones for a seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Pieces of text on which parsers often fail. */
const SPLINTERS: readonly Buffer[] = [
  '\r\n',
  '\r\n\r\n',
  '\0',
  '%00',
  '%0d%0a',
  '"',
  '\\',
  '{',
  '[',
  '}',
  ',',
  ':',
  'null',
  '-1',
  '1e999',
  '\\ud800',
  '__proto__',
  'Content-Length: 5\r\n',
  'Transfer-Encoding: chunked\r\n',
  'X-API-Key: a\r\n',
  ' ',
  '\t',
  '../',
  '\ufeff',
  '😀',
  'A'.repeat(5000),
].map(text => Buffer.from(text))

/** Makes one to four changes. */
export function mutate(bytes: Buffer, random: () => number): Buffer {
  const below = (bound: number) => Math.floor(random() * bound)
  let result = bytes
  for (let faults = 1 + below(4); faults > 0; faults--) {
    const at = below(result.length + 1)
    const size = below(Math.min(64, result.length - at) + 1)
    const head = result.subarray(0, at)
    const tail = result.subarray(at + size)
    const cut = result.subarray(at, at + size)
    const made = [
      () => Buffer.concat([head, tail]),
      () => Buffer.concat([head, cut, cut, tail]),
      () => Buffer.concat([head, SPLINTERS[below(SPLINTERS.length)] ?? cut, result.subarray(at)]),
      () => Buffer.concat([head, Buffer.from(cut.map(byte => byte ^ (1 << below(8)))), tail]),
      () => Buffer.concat([head, Buffer.from(cut.map(() => below(256))), tail]),
      () => head,
    ]
    result = made[below(made.length)]?.() ?? result
  }
  return result
}
