import assert from 'node:assert/strict'
import { test } from 'node:test'
import { youngGenerationMb } from '#app/threads/young-generation.ts'

const MB = 1_048_576

test('a gateway with little memory gets a small young generation', () => {
  const sizes = [64, 192, 320, 448, 1024, 8192].map(mb => youngGenerationMb(mb * MB))
  assert.deepEqual(sizes, [16, 16, 20, 28, 64, 64])
})
