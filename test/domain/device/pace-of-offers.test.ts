import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openWorld } from '#test/kit/test-phone.ts'

function withPhone() {
  const gateway = openWorld(1)
  const [phone] = gateway.phones
  assert.ok(phone)
  phone.connect()
  /** Sends whatever is offered, until nothing is; what it was. */
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

test('a new pace counts at once', () => {
  const { world, send, work, update, phone } = withPhone()
  const ids = Array.from({ length: 11 }, () => send())
  work()
  update(phone, { segmentsPerMinute: 60 })
  world.advance(1000)
  assert.deepEqual(work(), ids.slice(10))
})

test('a thousand messages that wait for the pace need one look at the clock, not a thousand', () => {
  const { world, send, work } = withPhone()
  const count = 1000
  for (let i = 0; i < count; i++) send()
  work()
  let looks = 0
  const until = world.monoMs + 3000
  for (let next = world.batch.nextDeadline; next !== null && next <= until; next = world.batch.nextDeadline) {
    looks += 1
    world.advance(next - world.monoMs)
    work()
    assert.ok(looks < 5)
  }
  // The rest of the deadlines are those of the leases and lives of the messages.
  assert.ok(looks > 0)
})
