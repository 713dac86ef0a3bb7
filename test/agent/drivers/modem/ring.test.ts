import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemClock } from '#agent/clock.ts'
import { modemRig, NUMBER } from '#test/kit/modem/modem-rig.ts'
import { modemManagerMissing } from '#test/kit/modem/modem-world.ts'
import { nextTurn } from '#test/kit/next-turn.ts'

const skip = modemManagerMissing()
const never = new AbortController().signal

test('a call rings until its time is over, and is hung up', { skip }, async t => {
  const { driver, modem, clock } = await modemRig(t)
  let outcome: string | undefined
  void driver.ring?.(NUMBER, 25, never).then(ended => {
    outcome = ended
  })
  await modem.until(() => modem.isRinging)
  const begunMs = clock.monotonicMs()
  while (outcome === undefined) {
    await nextTurn()
    if ((clock.nextInMs ?? Infinity) <= 500) clock.advance(500)
  }
  assert.equal(outcome, 'rang')
  assert.equal(clock.monotonicMs() - begunMs, 25_000)
  assert.deepEqual(modem.dialed, [NUMBER])
  assert.equal(modem.hangUps, 1)
})

test('a call that is answered is hung up at once', { skip }, async t => {
  const { open, modem } = await modemRig(t, modem => Object.assign(modem, { picksUp: true }))
  assert.equal(await open(null, systemClock).ring?.(NUMBER, 600, never), 'rang')
  assert.equal(modem.hangUps, 1)
})

test('a call that ends before it rang has failed: not every modem says that the line is busy', {
  skip,
}, async t => {
  const { open } = await modemRig(t, modem => Object.assign(modem, { isBusy: true }))
  assert.equal(await open(null, systemClock).ring?.(NUMBER, 600, never), 'failed')
})

test('a ring that nobody needs any more is hung up', { skip }, async t => {
  const { open, modem } = await modemRig(t)
  const stop = new AbortController()
  const ringing = open(null, systemClock).ring?.(NUMBER, 600, stop.signal)
  await modem.until(() => modem.dialed.length === 1)
  stop.abort()
  await ringing
  assert.equal(modem.hangUps, 1)
})
