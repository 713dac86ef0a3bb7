import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashKey } from '#rate-limit/bucket-table.ts'

const keys = Array.from({ length: 65_536 }, (_, i) => `10.0.${i >>> 8}.${i & 255}`)

test('hashes are whole numbers of 53 bits and all 53 are used', () => {
  let ones = 0n
  let zeros = 0n
  for (const key of keys) {
    const hash = hashKey(key, 1, 2)
    assert.ok(Number.isSafeInteger(hash) && hash >= 0)
    ones |= BigInt(hash)
    zeros |= ~BigInt(hash)
  }
  assert.equal(BigInt.asUintN(53, ones), 2n ** 53n - 1n)
  assert.equal(BigInt.asUintN(53, zeros), 2n ** 53n - 1n)
})

test('neighbouring addresses spread evenly over the sets', () => {
  const sets = new Array<number>(8192).fill(0)
  for (const key of keys) {
    const set = (hashKey(key, 3, 4) % 65_536) >>> 3
    sets[set] = (sets[set] ?? 0) + 1
  }
  const chiSquare = sets.reduce((sum, count) => sum + (count - 8) ** 2 / 8, 0)
  // 8,191 degrees of freedom: mean 8,191, standard deviation 128; five deviations on either side.
  assert.ok(chiSquare > 7551 && chiSquare < 8831, `chi-square ${chiSquare}`)
})

test('one changed character, length or seed changes half of the bits', () => {
  const base = BigInt(hashKey('203.0.113.77', 5, 6))
  const others = [
    hashKey('203.0.113.76', 5, 6),
    hashKey('203.0.113.7', 5, 6),
    hashKey('303.0.113.77', 5, 6),
    hashKey('203.0.113.77\0', 5, 6),
    hashKey('203.0.113.77', 4, 6),
    hashKey('203.0.113.77', 5, 7),
  ]
  for (const other of others) {
    const flipped = (base ^ BigInt(other)).toString(2).replaceAll('0', '').length
    assert.ok(flipped >= 12 && flipped <= 41, `${flipped} of 53 bits`)
  }
})
