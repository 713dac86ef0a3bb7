import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { Problem } from '#domain/problem.ts'
import { decodeBody } from '#transport/http/decode-body.ts'

const TEXT = Buffer.from('{"message":"packed"}')
const brotli = (bits: number) =>
  brotliCompressSync(TEXT, { params: { [constants.BROTLI_PARAM_LGWIN]: bits } })
const known = { bytesMax: 1000, isKnown: true }
const stranger = { bytesMax: 1000, isKnown: false }
const isUnsupported = (error: unknown) => error instanceof Problem && error.code === 'UNSUPPORTED_MEDIA_TYPE'

test('brotli is unpacked for known callers only, and only with a usual window', () => {
  for (const bits of [10, 16, 17, 18, 20, 22]) assert.deepEqual(decodeBody(brotli(bits), 'br', known), TEXT)
  for (const bits of [23, 24]) assert.throws(() => decodeBody(brotli(bits), 'br', known), isUnsupported)
  assert.throws(() => decodeBody(brotli(22), ' BR', stranger), isUnsupported)
  assert.deepEqual(decodeBody(gzipSync(TEXT), 'gzip', stranger), TEXT)
})

test('a text that its sender calls brotli, although it is not packed, stays as it is', () => {
  for (const text of ['{"a":1}', 'message', '[1]', ''])
    for (const caller of [known, stranger])
      assert.equal(decodeBody(Buffer.from(text), 'br', caller).toString(), text)
})
