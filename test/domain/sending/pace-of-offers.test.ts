import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openWorld } from '#test/kit/test-phone.ts'

function withPhone() {
  const gateway = openWorld(1)
  const [phone] = gateway.phones
  assert.ok(phone)
  phone.connect()
  /** Sends all offered messages until there are no more. @returns their ids */
  const work = (): string[] => {
    const all: string[] = []
    for (let ids = phone.offered(); ids.length > 0; ids = phone.offered()) {
      all.push(...ids)
      for (const id of ids) phone.begin(id)
      for (const id of ids) phone.report(id, 'sent')
    }
    return all
  }
  return { ...gateway, phone, work }
}

test('a phone is offered the burst at once and then one segment every three seconds', () => {
  const { world, send, work } = withPhone()
  const ids = Array.from({ length: 12 }, () => send())
  assert.deepEqual(work(), ids.slice(0, 10))
  world.advance(2999)
  assert.deepEqual(work(), [])
  world.advance(1)
  assert.deepEqual(work(), ids.slice(10, 11))
  world.advance(3000)
  assert.deepEqual(work(), ids.slice(11))
})

test('a message longer than the burst is sent, and the next one waits for all its segments', () => {
  const { world, send, work } = withPhone()
  const [long, next] = [send({ segments: 12 }), send()]
  assert.deepEqual(work(), [long])
  world.advance(8999)
  assert.deepEqual(work(), [])
  world.advance(1)
  assert.deepEqual(work(), [next])
})

test('a new pace takes effect at once', () => {
  const { world, send, work, update, phone } = withPhone()
  const ids = Array.from({ length: 11 }, () => send())
  work()
  update(phone, { segmentsPerMinute: 60 })
  world.advance(1000)
  assert.deepEqual(work(), ids.slice(10))
})

test('a phone has one deadline for its pace, however many messages wait', () => {
  const { world, send, work } = withPhone()
  send({ segments: 10 })
  work()
  for (let i = 0; i < 2500; i++) send()
  world.monoMs += 3000
  world.batch.run([])
  // One transaction takes at most a thousand deadlines, so with one per message some would be left.
  assert.ok((world.batch.nextDeadline ?? 0) > world.monoMs)
})
