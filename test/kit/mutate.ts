/** Damages bytes in ways that break parsers. */
import type { Random } from '#test/kit/random.ts'

/** Pieces of text on which parsers often fail. */
const PARSER_TRAPS: readonly Buffer[] = [
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

/** Returns `bytes` with one to four random changes. */
export function mutate(bytes: Buffer, random: Random): Buffer {
  const below = (bound: number) => random.below(bound)
  let result = bytes
  for (let left = 1 + below(4); left > 0; left--) {
    const at = below(result.length + 1)
    const size = below(Math.min(64, result.length - at) + 1)
    const head = result.subarray(0, at)
    const tail = result.subarray(at + size)
    const cut = result.subarray(at, at + size)
    const changes = [
      () => Buffer.concat([head, tail]),
      () => Buffer.concat([head, cut, cut, tail]),
      () => Buffer.concat([head, PARSER_TRAPS[below(PARSER_TRAPS.length)] ?? cut, result.subarray(at)]),
      () => Buffer.concat([head, Buffer.from(cut.map(byte => byte ^ (1 << below(8)))), tail]),
      () => Buffer.concat([head, Buffer.from(cut.map(() => below(256))), tail]),
      () => head,
    ]
    result = changes[below(changes.length)]?.() ?? result
  }
  return result
}
