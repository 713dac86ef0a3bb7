import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OFFER_LEASE_MS } from '#contracts/bounds.ts'
import { endOf, openWorld } from '#test/kit/test-phone.ts'
import { OFFLINE_AFTER_MS } from '#test/kit/world.ts'

function withTwo() {
  const gateway = openWorld(2)
  const [a, b] = gateway.phones
  assert.ok(a && b)
  return { ...gateway, a, b }
}

test('an offer that is not begun in its lease goes to another phone', () => {
  const { world, a, b, send } = withTwo()
  a.connect()
  const id = send()
  b.connect()
  world.advance(OFFER_LEASE_MS - 1)
  assert.deepEqual([a.received(), b.received()], [['offer/1'], []])
  world.advance(1)
  assert.deepEqual([a.received(), b.received()], [['no/1'], ['offer/1']])
  a.begin(id)
  b.begin(id)
  assert.deepEqual([a.received(), b.received()], [['no/1'], ['go/1']])
})

test('without another phone, or for a pinned message, the same phone gets the offer again', () => {
  for (const named of [false, true]) {
    const { world, a, b, send } = withTwo()
    a.connect()
    if (named) b.connect()
    send({ deviceId: named ? a.deviceId : null })
    world.advance(OFFER_LEASE_MS)
    assert.deepEqual(a.received(), ['offer/1', 'no/1', 'offer/1'])
  }
})

test('an offer that was begun keeps its phone after the lease', () => {
  const { world, a, b, send, stored } = withTwo()
  a.connect()
  const id = send()
  b.connect()
  a.begin(id)
  world.advance(OFFER_LEASE_MS * 2)
  assert.deepEqual(b.received(), [])
  assert.equal(endOf(stored(id)), 'sending')
})

test('offers that a phone did not begin go to an idle phone when its connection ends', () => {
  const { a, b, send, stored } = withTwo()
  a.connect()
  const id = send()
  b.connect()
  a.close()
  assert.deepEqual(b.received(), ['offer/1'])
  assert.equal(stored(id).deviceId, b.deviceId)
})

test("phones that disconnect in one transaction are not offered each other's messages", () => {
  const { world, phones, send, stored } = openWorld(3)
  const [a, b, c] = phones
  assert.ok(a && b && c)
  a.connect()
  const id = send()
  for (const phone of [b, c]) phone.connect()
  assert.deepEqual(a.received(), ['offer/1'])
  const close = ({ deviceId, connection }: typeof a, order: number) => {
    return { id: order, name: 'phone.closed', input: { deviceId, connection, silentMs: 0 } } as const
  }
  world.effects.push(...world.batch.run([close(a, 1), close(b, 2)]).effects)
  assert.deepEqual([b.received(), c.received()], [[], ['offer/1']])
  assert.equal(stored(id).deviceId, c.deviceId)
})

test('an offline phone loses its waiting messages, but not those pinned to it', () => {
  const { world, a, b, send, stored } = withTwo()
  a.connect({ country: 'US' })
  b.connect({ country: 'DE' })
  a.close()
  const [free, pinned] = [send({ country: 'US' }), send({ deviceId: a.deviceId })]
  world.advance(OFFLINE_AFTER_MS - 1)
  assert.deepEqual(b.received(), [], 'messages wait a while for the phone of their country')
  world.advance(1)
  assert.deepEqual(b.offered(), [free])
  assert.equal(stored(pinned).deviceId, a.deviceId)
  a.hello('US')
  a.sync()
  assert.deepEqual(a.offered(), [pinned])
})

test('a phone that is back within offline_after_s keeps its messages', () => {
  const { world, a, b, send } = withTwo()
  a.connect({ country: 'US' })
  b.connect({ country: 'DE' })
  a.close()
  const id = send({ country: 'US' })
  world.advance(OFFLINE_AFTER_MS - 1)
  a.hello('US')
  a.sync()
  assert.deepEqual(a.offered(), [id])
  a.begin(id)
  world.advance(OFFLINE_AFTER_MS)
  assert.deepEqual(b.received(), [])
})

test('the time until offline counts from the last sign of life, not from the disconnect', () => {
  const { world, a, b, send } = withTwo()
  a.connect({ country: 'US' })
  b.connect({ country: 'DE' })
  const id = send({ country: 'US' })
  world.advance(30_000)
  a.close(30_000)
  world.advance(14_999)
  assert.deepEqual(b.received(), [])
  world.advance(1)
  assert.deepEqual(b.offered(), [id])
})

test('an idle phone takes from the longest queue', () => {
  const { a, b, send } = withTwo()
  a.connect()
  const ids = Array.from({ length: 6 }, () => send())
  assert.deepEqual(a.offered(), ids.slice(0, 3))
  b.hello()
  b.sync()
  assert.deepEqual(b.offered(), ids.slice(3))
})

test('a message goes to an idle phone when the chosen one has no free slot', () => {
  const { a, b, send } = withTwo()
  a.connect({ country: 'US' })
  const ids = Array.from({ length: 4 }, () => send({ country: null }))
  assert.deepEqual(a.offered(), ids.slice(0, 3))
  b.connect()
  assert.deepEqual(b.offered(), [])
  const next = send({ country: null })
  assert.deepEqual([...a.offered(), ...b.offered()], [next])
})

test('codes go first, then high priority and alerts, then the rest, first in first out', () => {
  const { a, send } = withTwo()
  const kinds = ['sms', 'webhook', '2fa', 'high', 'sms', '2fa'] as const
  const ids = kinds.map(kind => (kind === 'high' ? send({ priority: 'high' }) : send({ kind })))
  const order: string[] = []
  a.hello()
  a.sync()
  for (let i = 0; i < 2; i++) {
    const offered = a.offered()
    order.push(...offered)
    for (const id of offered) a.begin(id)
    for (const id of offered) a.report(id, 'sent')
  }
  order.push(...a.offered())
  assert.deepEqual(
    order,
    [2, 5, 1, 3, 0, 4].map(index => ids[index]),
  )
})

test('a paused phone finishes what it began, is offered nothing, and its queue goes to others', () => {
  const { a, b, send, stored, update } = withTwo()
  a.connect()
  const ids = Array.from({ length: 5 }, () => send())
  a.begin(ids[0] ?? '')
  update(a, { paused: true })
  a.report(ids[0] ?? '', 'sent')
  assert.equal(endOf(stored(ids[0] ?? '')), 'sent')
  assert.deepEqual(a.offered(), ids.slice(0, 3), 'no new offers while paused')
  b.hello()
  b.sync()
  assert.deepEqual(b.offered(), ids.slice(3))
  a.close()
  assert.deepEqual(b.offered(), ids.slice(1, 2), 'the message that the paused phone had not begun')
  update(a, { paused: false })
})

test('a message that a paused phone proves unsent goes to another phone', () => {
  const { a, b, send, update } = withTwo()
  a.connect()
  const id = send()
  a.begin(id)
  b.connect()
  update(a, { paused: true })
  const told = a.connect({ journal: [{ messageId: id, attempt: 1, state: 'accepted', code: null }] })
  assert.deepEqual(told, ['welcome', 'no/1', 'synced'])
  assert.deepEqual(b.received(), ['offer/2'])
})

test('when a phone is removed, waiting messages move, pinned ones fail, sending ones are unknown', () => {
  const { world, a, b, send, stored, remove } = withTwo()
  a.connect()
  const ids = Array.from({ length: 4 }, () => send())
  a.begin(ids[0] ?? '')
  const pinned = send({ deviceId: a.deviceId })
  remove(a)
  assert.equal(a.received().at(-1), 'close')
  assert.equal(endOf(stored(ids[0] ?? '')), 'OUTCOME_UNKNOWN')
  assert.equal(endOf(stored(pinned)), 'DEVICE_REMOVED')
  b.hello()
  b.sync()
  assert.deepEqual(b.offered(), ids.slice(1))
  a.hello()
  assert.deepEqual(a.received(), ['close'])
  assert.equal(world.faults.length, 0)
})

test('after a restart an absent phone of the right country does not hold back another phone', () => {
  const { world, a, b, send } = withTwo()
  a.connect({ country: 'US' })
  a.close()
  const id = send({ country: 'US' })
  world.restart()
  b.hello('DE')
  b.sync()
  assert.deepEqual(b.offered(), [])
  world.advance(OFFLINE_AFTER_MS)
  assert.deepEqual(b.offered(), [id])
})
