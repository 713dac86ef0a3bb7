import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemSource } from '#storage/source.ts'

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** The number that `count` characters of the id encode. */
function numberAt(id: string, from: number, count: number): number {
  return [...id.slice(from, from + count)].reduce((sum, char) => sum * 32 + CROCKFORD.indexOf(char), 0)
}

test('ids made in one millisecond, or after the clock went back, increase by one and sort', () => {
  const source = systemSource(Buffer.alloc(32))
  const times = [1_700_000_000_000, ...Array<number>(5000).fill(1_700_000_000_000), 1_600_000_000_000]
  const ids = times.map(at => source.id('msg_', at))
  assert.deepEqual([...ids].sort(), ids)
  for (const [index, id] of ids.entries()) {
    assert.match(id, /^msg_[0-7][0-9A-HJKMNP-TV-Z]{25}$/)
    assert.equal(numberAt(id, 4, 10), 1_700_000_000_000)
    assert.equal(numberAt(id, 22, 8), numberAt(ids[0] ?? '', 22, 8) + index)
  }
})

test('the id of a later millisecond has its time and new randomness, and sorts later', () => {
  const source = systemSource(Buffer.alloc(32))
  const [first = '', second = ''] = [1_700_000_000_000, 1_700_000_000_001].map(at => source.id('evt_', at))
  assert.ok(first < second)
  assert.equal(numberAt(second, 4, 10), 1_700_000_000_001)
  assert.notEqual(first.slice(14), second.slice(14))
})
