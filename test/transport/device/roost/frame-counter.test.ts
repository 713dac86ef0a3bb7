import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ACCOUNT_BOUNDS } from '#contracts/account-bounds.ts'
import { FrameCounter } from '#transport/device/roost/frame-counter.ts'

test('the phones of an account share the frames of a second, and other accounts have their own', () => {
  const counter = new FrameCounter()
  const { most } = ACCOUNT_BOUNDS.phoneFrames
  for (let frame = 0; frame < most; frame += 1) assert.ok(counter.take('acc_1', 1_900))
  assert.equal(counter.take('acc_1', 1_999), false)
  assert.ok(counter.take('acc_2', 1_999))
  assert.ok(counter.take('acc_1', 2_000))
})
