import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CONNECTIONS_MAX } from '#contracts/bounds.ts'
import { connectionsMaxOf, DESCRIPTORS_KEPT, readLimits } from '#transport/http/bound-connections.ts'

const limitsOf = (files: number | string) =>
  `Max processes  7823  7823\nMax open files            ${files}                 4096      files\n`

test('connections of all listeners stay below the limit of file descriptors', () => {
  assert.equal(connectionsMaxOf(limitsOf(1024), 1), 1024 - DESCRIPTORS_KEPT)
  assert.equal(connectionsMaxOf(limitsOf(16_384), 2), (16_384 - DESCRIPTORS_KEPT) / 2)
  assert.equal(connectionsMaxOf(limitsOf(256), 1), 128)
  assert.equal(connectionsMaxOf(limitsOf(100), 1), 36)
  assert.equal(connectionsMaxOf(limitsOf(64), 1), 1)
  for (const limits of [limitsOf(1_048_576), limitsOf('unlimited'), ''])
    assert.equal(connectionsMaxOf(limits, 4), CONNECTIONS_MAX)
  assert.ok(connectionsMaxOf(readLimits(), 1) >= 1)
})
