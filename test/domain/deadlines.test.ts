import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Deadlines } from '#domain/deadlines.ts'

test('due deadlines are taken earliest first, and the others stay', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(1000)), fc.nat(1000), (times, now) => {
      const deadlines = new Deadlines()
      for (const [index, at] of times.entries()) deadlines.add(at, 'expire', String(index))
      const due = deadlines.takeDue(now, times.length).map(({ at }) => at)
      const wanted = times.filter(at => at <= now).sort((a, b) => a - b)
      assert.deepEqual(due, wanted)
      assert.equal(deadlines.length, times.length - due.length)
      const later = times.filter(at => at > now)
      assert.equal(deadlines.nextAt, later.length === 0 ? null : Math.min(...later))
    }),
  )
})

test('at most the requested number of deadlines is taken', () => {
  const deadlines = new Deadlines()
  for (let at = 5; at > 0; at--) deadlines.add(at, 'retry', String(at))
  assert.deepEqual(
    deadlines.takeDue(10, 2).map(({ id }) => id),
    ['1', '2'],
  )
  assert.equal(deadlines.nextAt, 3)
})

test('obsolete deadlines are removed before they are the majority', () => {
  const deadlines = new Deadlines(8)
  const open = new Set<string>()
  for (let n = 1; n <= 1_000; n++) {
    deadlines.add(n % 7, 'expire', String(n))
    open.add(String(n)).delete(String(n - 3))
    deadlines.sweep(({ id }) => open.has(id))
    assert.ok(deadlines.length < 9, `${deadlines.length} of ${open.size}`)
  }
  const left = deadlines.takeDue(7, 1_000)
  for (const id of open) assert.ok(left.some(deadline => deadline.id === id))
  assert.deepEqual(
    left.map(({ at }) => at),
    left.map(({ at }) => at).toSorted((a, b) => a - b),
  )
})

test('a message is its own deadline', () => {
  const deadlines = new Deadlines(2)
  deadlines.addExpiry({ id: 'b', expiresAtMono: 20 })
  deadlines.add(15, 'retry', 'a')
  deadlines.addExpiry({ id: 'c', expiresAtMono: 10 })
  assert.equal(deadlines.nextAt, 10)
  deadlines.sweep(({ kind, id }) => `${kind} ${id}` !== 'expire c')
  const due = deadlines.takeDue(20, 9).map(({ at, kind, id }) => `${at} ${kind} ${id}`)
  assert.deepEqual(due, ['15 retry a', '20 expire b'])
})
