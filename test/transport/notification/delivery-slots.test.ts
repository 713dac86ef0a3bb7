import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { DeliverySlots, type SlotAnswer, type SlotBounds } from '#transport/notification/delivery-slots.ts'

const BOUNDS: SlotBounds = {
  slots: 4,
  slotsPerOrigin: 2,
  waiting: 4,
  waitingPerOrigin: 3,
  slowRemembered: 2,
}

/** Asks for slots, and records the answers in order. */
function asker(bounds: Partial<SlotBounds> = {}) {
  const slots = new DeliverySlots({ ...BOUNDS, ...bounds })
  const answers: string[] = []
  const ask = (origin: string) =>
    void slots.acquire(origin).then(answer => answers.push(`${origin} ${answer}`))
  /** Waits until all due answers have arrived. */
  const settle = () => new Promise<void>(resolve => setImmediate(resolve))
  return { slots, answers, ask, settle }
}

test('an origin has its own bound and does not hold up another', async () => {
  const { slots, answers, ask, settle } = asker()
  for (const origin of ['a', 'a', 'a', 'b']) ask(origin)
  await settle()
  assert.deepEqual(answers, ['a granted', 'a granted', 'b granted'])
  slots.release('a', false)
  await settle()
  assert.equal(answers.at(-1), 'a granted')
  assert.equal(answers.length, 4)
})

test('all origins together have a bound, and waiting requests are served in order', async () => {
  const { slots, answers, ask, settle } = asker()
  for (const origin of ['a', 'a', 'b', 'b', 'c', 'd']) ask(origin)
  await settle()
  assert.equal(answers.length, 4)
  slots.release('a', false)
  slots.release('b', false)
  await settle()
  assert.deepEqual(answers.slice(4), ['c granted', 'd granted'])
})

test('the waiting places are bounded in total and per origin', async () => {
  const { answers, ask, settle } = asker()
  for (const origin of ['a', 'a', 'a', 'a', 'a', 'a']) ask(origin)
  await settle()
  assert.deepEqual(answers, ['a granted', 'a granted', 'a overloaded'])
  for (const origin of ['b', 'b', 'b', 'c']) ask(origin)
  await settle()
  assert.deepEqual(answers.slice(3), ['b granted', 'b granted', 'c overloaded'])
})

test('an origin that hung has one slot until a delivery to it no longer hangs', async () => {
  const { slots, answers, ask, settle } = asker()
  ask('a')
  await settle()
  slots.release('a', true)
  ask('a')
  ask('a')
  await settle()
  assert.deepEqual(answers, ['a granted', 'a granted'])
  slots.release('a', false)
  ask('a')
  await settle()
  assert.deepEqual(answers.slice(2), ['a granted', 'a granted'])
})

test('hanging origins hold at most half of the slots', async () => {
  const { slots, answers, ask, settle } = asker({ slowRemembered: 10 })
  for (const origin of ['a', 'b', 'c', 'd']) ask(origin)
  await settle()
  for (const origin of ['a', 'b', 'c', 'd']) slots.release(origin, true)
  for (const origin of ['a', 'b', 'c', 'well']) ask(origin)
  await settle()
  assert.deepEqual(answers.slice(4), ['a granted', 'b granted', 'well granted'])
})

test('an origin that recovered no longer counts as hanging', async () => {
  const { slots, answers, ask, settle } = asker({ slots: 6, slotsPerOrigin: 3, slowRemembered: 10 })
  for (const origin of ['a', 'a', 'a']) ask(origin)
  await settle()
  slots.release('a', true)
  slots.release('a', false)
  slots.release('a', false)
  for (const origin of ['b', 'c', 'd']) {
    ask(origin)
    await settle()
    slots.release(origin, true)
  }
  for (const origin of ['b', 'c', 'd']) ask(origin)
  await settle()
  assert.deepEqual(answers.slice(6), ['b granted', 'c granted', 'd granted'])
})

test('hanging origins hold at most half of the waiting places', async () => {
  const { slots, answers, ask, settle } = asker()
  ask('a')
  await settle()
  slots.release('a', true)
  for (const origin of ['a', 'a', 'a', 'a']) ask(origin)
  await settle()
  assert.deepEqual(answers, ['a granted', 'a granted', 'a overloaded'])
})

test('the origin that hung longest ago is forgotten first', async () => {
  const { slots, answers, ask, settle } = asker()
  for (const origin of ['a', 'b', 'c']) {
    ask(origin)
    await settle()
    slots.release(origin, true)
  }
  ask('a')
  ask('a')
  await settle()
  assert.deepEqual(answers.slice(3), ['a granted', 'a granted'])
})

test('stopping answers all waiting and all later requests for a slot', async () => {
  const { slots, answers, ask, settle } = asker({ slots: 1 })
  ask('a')
  ask('b')
  await settle()
  slots.stop()
  ask('c')
  await settle()
  assert.deepEqual(answers, ['a granted', 'b stopped', 'c stopped'])
})

test('in any sequence no bound is broken, and every request is answered in the end', async () => {
  const step = fc.record({
    origin: fc.constantFrom('a', 'b', 'c', 'd'),
    ask: fc.boolean(),
    hung: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async steps => {
      const slots = new DeliverySlots(BOUNDS)
      const holding: string[] = []
      const asked: Promise<SlotAnswer>[] = []
      const check = async () => {
        await new Promise<void>(resolve => setImmediate(resolve))
        assert.ok(holding.length <= BOUNDS.slots)
        for (const origin of holding) {
          assert.ok(holding.filter(other => other === origin).length <= BOUNDS.slotsPerOrigin)
        }
      }
      for (const { origin, ask, hung } of steps) {
        const held = holding.indexOf(origin)
        if (ask) {
          const answer = slots.acquire(origin)
          asked.push(answer)
          void answer.then(given => given === 'granted' && holding.push(origin))
        } else if (held >= 0) {
          holding.splice(held, 1)
          slots.release(origin, hung)
        }
        await check()
      }
      while (holding.length > 0) {
        slots.release(holding.shift() ?? '', true)
        await check()
      }
      const answers = await Promise.all(asked)
      assert.ok(answers.every(answer => answer !== 'stopped'))
    }),
    { numRuns: 60 },
  )
})
