import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { LineTooLong, readLines } from '#app/control/read-lines.ts'

async function* stream(chunks: readonly (string | Buffer)[]): AsyncGenerator<Buffer> {
  for (const chunk of chunks) yield Buffer.from(chunk)
}

async function linesOf(chunks: AsyncIterable<Buffer>, lineBytesMax: number): Promise<readonly string[]> {
  const lines: string[] = []
  for await (const line of readLines(chunks, lineBytesMax)) lines.push(line)
  return lines
}

test('lines are complete wherever the stream was split, even inside a character', async () => {
  const lines = fc.array(fc.string({ unit: 'grapheme' }).map(text => text.replaceAll('\n', ' ')))
  await fc.assert(
    fc.asyncProperty(lines, fc.integer({ min: 1, max: 7 }), async (lines, size) => {
      const bytes = Buffer.from(lines.map(line => `${line}\n`).join(''))
      const count = Math.ceil(bytes.length / size)
      const chunks = Array.from({ length: count }, (_, i) => bytes.subarray(i * size, (i + 1) * size))
      assert.deepEqual(await linesOf(stream(chunks), 10_000), lines)
    }),
  )
})

test('text after the last line feed is not a line', async () => {
  assert.deepEqual(await linesOf(stream(['a\nb', 'c']), 10), ['a'])
})

test('a line may have exactly the maximum length, and no byte more', async () => {
  assert.deepEqual(await linesOf(stream(['12', '345\n', '12345\n']), 5), ['12345', '12345'])
  for (const chunks of [['123456\n'], ['123', '456'], ['12345', '6\n']])
    await assert.rejects(linesOf(stream(chunks), 5), LineTooLong)
})
