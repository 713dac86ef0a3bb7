import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Pacing } from '#domain/device/pacing.ts'

test('the burst is sent at once, then one segment every three seconds at 20 a minute', () => {
  const pacing = new Pacing(20, 10, 0)
  for (let i = 0; i < 10; i++) assert.equal(pacing.take(1, 0).taken, true)
  assert.deepEqual(pacing.take(1, 0), { taken: false, readyAt: 3000 })
  assert.equal(pacing.take(1, 2999).taken, false)
  assert.equal(pacing.take(1, 3000).taken, true)
  assert.deepEqual(pacing.take(2, 3000), { taken: false, readyAt: 9000 })
})

test('a message longer than the burst needs a full burst, and the next one waits for the excess', () => {
  const pacing = new Pacing(20, 10, 0)
  assert.equal(pacing.take(1, 0).taken, true)
  assert.deepEqual(pacing.take(12, 0), { taken: false, readyAt: 3000 })
  assert.equal(pacing.take(12, 3000).taken, true)
  assert.deepEqual(pacing.take(1, 3000), { taken: false, readyAt: 3000 + 3 * 3000 })
})

test('returned segments can be taken again, up to the burst', () => {
  const pacing = new Pacing(20, 10, 0)
  pacing.take(10, 0)
  pacing.refund(4)
  assert.equal(pacing.take(4, 0).taken, true)
  pacing.refund(99)
  assert.equal(pacing.take(10, 0).taken, true)
  assert.equal(pacing.take(1, 0).taken, false)
})

test('a clock that stands still or goes back adds no segments', () => {
  const pacing = new Pacing(20, 1, 10_000)
  assert.equal(pacing.take(1, 10_000).taken, true)
  assert.equal(pacing.take(1, 5000).taken, false)
  assert.equal(pacing.take(1, 12_999).taken, false)
  assert.equal(pacing.take(1, 13_000).taken, true)
})

test('a new pace counts from the next segment on', () => {
  const pacing = new Pacing(20, 1, 0)
  pacing.take(1, 0)
  pacing.changePace(60, 0)
  assert.equal(pacing.segmentsPerMinute, 60)
  assert.equal(pacing.take(1, 1000).taken, true)
})

test('time before a change of the pace counts at the old pace', () => {
  const pacing = new Pacing(20, 10, 0)
  pacing.take(10, 0)
  pacing.changePace(60, 3000)
  assert.equal(pacing.take(1, 3000).taken, true)
  assert.deepEqual(pacing.take(1, 3000), { taken: false, readyAt: 4000 })
})

test('how often a phone is checked does not change when it is ready', () => {
  const often = new Pacing(7, 3, 0)
  const once = new Pacing(7, 3, 0)
  for (const pacing of [often, once]) pacing.take(3, 0)
  for (let ms = 0; ms < 5000; ms += 7) often.readyAt(1, ms)
  assert.equal(often.readyAt(1, 5000), once.readyAt(1, 5000))
  assert.equal(often.expectedWaitMs(2, 5000), once.expectedWaitMs(2, 5000))
})

test('in any time span the burst, the pace and one long message limit what is sent', () => {
  const asks = fc.array(fc.record({ segments: fc.integer({ min: 1, max: 20 }), gapMs: fc.nat(20_000) }))
  fc.assert(
    fc.property(asks, asks => {
      const pacing = new Pacing(20, 10, 0)
      let now = 0
      let left = 0
      for (const { segments, gapMs } of asks) {
        now += gapMs
        const { taken, readyAt } = pacing.take(segments, now)
        if (!taken) assert.equal(pacing.take(segments, readyAt).taken, true)
        now = readyAt
        left += segments
        assert.ok(left <= 10 + (now / 60_000) * 20 + 10 + 1e-6)
      }
    }),
  )
})

test('the expected wait follows from the pace and the waiting segments', () => {
  const pacing = new Pacing(20, 10, 0)
  assert.equal(pacing.expectedWaitMs(10, 0), 0)
  assert.equal(Math.round(pacing.expectedWaitMs(12, 0)), 6000)
})
