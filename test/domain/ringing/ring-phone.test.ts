import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { COMMANDS } from '#domain/command-table.ts'
import { RINGS_WAITING_MAX, ringPhone, stopRing } from '#domain/ringing/ring-phone.ts'
import type { World } from '#domain/world.ts'
import { openWorld, type TestPhone } from '#test/kit/test-phone.ts'

const CALLS = { about: { calls: true } }

/** Phones that call and are connected. No command only rings, so the test rings inside another one. */
function callingPhones(count: number) {
  const { world, accountId, phones, update, remove } = openWorld(count)
  const inside = (work: (world: World) => void) => {
    const list = mock.method(COMMANDS, 'device.list', (inner: World) => {
      work(inner)
      return []
    })
    try {
      world.ask('device.list', { accountId })
    } finally {
      list.mock.restore()
    }
  }
  for (const phone of phones) phone.connect(CALLS)
  const ring = (ringId: string) => {
    let rings: boolean | null = null
    inside(inner => {
      rings = ringPhone(inner, { ringId, accountId, phoneNumber: '+14155550123', seconds: 25 })
    })
    return rings
  }
  const ends = () => {
    const isEnd = (effect: (typeof world.effects)[number]) =>
      effect.kind === 'log' && effect.event === 'ring.ended'
    const found = world.effects.filter(isEnd)
    const others = world.effects.filter(effect => !isEnd(effect))
    world.effects.splice(0, world.effects.length, ...others)
    return found.map(effect =>
      effect.kind === 'log' ? `${effect.fields['ringId']} ${effect.fields['outcome']}` : '',
    )
  }
  const stop = (ringId: string) => inside(inner => stopRing(inner, ringId))
  const [one, two] = phones as [TestPhone, TestPhone]
  return { world, accountId, one, two, inside, ring, stop, ends, update, remove }
}

test('a phone that calls is told to ring, and its answer is the end', () => {
  const { world, one, ring, ends } = callingPhones(1)
  for (const outcome of ['rang', 'busy', 'failed'] as const) {
    assert.equal(ring(outcome), true)
    const frame = { type: 'ring', ringId: outcome, phoneNumber: '+14155550123', seconds: 25 }
    assert.deepEqual(world.framesTo(one.connection.socket).at(-1), { kind: 'frame', frame })
    assert.deepEqual(ends(), [])
    one.rang(outcome, outcome)
    assert.deepEqual(ends(), [`${outcome} ${outcome}`])
  }
})

test('nobody rings without a phone that calls, is connected and not paused', () => {
  const { one, two, ring, update, ends } = callingPhones(2)
  one.connect({ about: { calls: false } })
  assert.equal(ring('r1'), true)
  two.close()
  assert.deepEqual([ends(), ring('r2')], [['r1 failed'], false])
  two.connect()
  update(two, { paused: true })
  assert.equal(ring('r2'), false)
  update(two, { paused: false })
  assert.equal(ring('r2'), true)
})

test('a phone that cannot send texts rings only if no other can', () => {
  const { one, two, ring } = callingPhones(2)
  one.connect({ about: { calls: true, trouble: 'no credit' } })
  ring('r1')
  ring('r2')
  assert.deepEqual([one.rings(), two.rings()], [['r2'], ['r1']])
})

test('a phone rings one person at a time; the others wait their turn, at most so many', () => {
  const { one, ring, ends } = callingPhones(1)
  assert.equal(ring('r0'), true)
  for (let i = 1; i <= RINGS_WAITING_MAX; i += 1) assert.equal(ring(`r${i}`), true)
  assert.equal(ring('too-many'), false)
  assert.deepEqual(one.rings(), ['r0'])
  one.rang('r0', 'busy')
  assert.deepEqual([ends(), one.rings()], [['r0 busy'], ['r1']])
  one.close()
  const lost = Array.from({ length: RINGS_WAITING_MAX }, (_, i) => `r${i + 1} failed`)
  assert.deepEqual(ends(), lost)
})

test('two phones ring at once, and one goes on with what waits when the other is gone', () => {
  const { one, two, ring, remove, ends } = callingPhones(2)
  for (const id of ['r1', 'r2', 'r3', 'r4']) ring(id)
  assert.deepEqual([one.rings(), two.rings()], [['r1'], ['r2']])
  remove(one)
  assert.deepEqual([ends(), two.rings()], [['r1 failed'], []])
  two.rang('r2', 'rang')
  assert.deepEqual([ends(), two.rings()], [['r2 rang'], ['r3']])
})

test('a ring without an answer fails 30 s after its seconds, and its phone is told to hang up', () => {
  const { world, one, ring, ends } = callingPhones(1)
  ring('r1')
  ring('r2')
  one.rings()
  world.advance(54_999)
  assert.deepEqual(ends(), [])
  world.advance(1)
  assert.deepEqual([ends(), one.rings()], [['r1 failed'], ['stop r1', 'r2']])
})

test('a ring is stopped: its phone hangs up and reports it, one that waits is forgotten', () => {
  const { one, ring, stop, ends } = callingPhones(1)
  for (const id of ['r1', 'r2', 'r3']) ring(id)
  for (const id of ['r2', 'r1', 'unknown']) stop(id)
  assert.deepEqual([ends(), one.rings()], [[], ['r1', 'stop r1']])
  one.rang('r1', 'rang')
  assert.deepEqual([ends(), one.rings()], [['r1 rang'], ['r3']])
})

test('a phone that lies changes nothing', () => {
  const { one, two, ring, ends } = callingPhones(2)
  for (const id of ['r1', 'r2', 'r3']) ring(id)
  two.rang('r1', 'rang')
  two.rang('r3', 'rang')
  two.rang('unknown', 'rang')
  assert.deepEqual(ends(), [])
  one.rang('r1', 'busy')
  one.rang('r1', 'rang')
  assert.deepEqual(ends(), ['r1 busy'])
})

test('a connection that replaces another loses its ring', () => {
  const { one, ring, ends } = callingPhones(1)
  ring('r1')
  one.connect(CALLS)
  assert.deepEqual(ends(), ['r1 failed'])
  one.rang('r1', 'rang')
  assert.deepEqual(ends(), [])
})

test('a transaction that fails undoes its rings, and keeps the others with their time', () => {
  const { world, one, inside, ring, ends, accountId } = callingPhones(1)
  ring('r1')
  ring('r2')
  one.rings()
  const fail = (work: (inner: World) => void) =>
    assert.throws(() =>
      inside(inner => {
        work(inner)
        throw new Error('a fault')
      }),
    )
  fail(inner => ringPhone(inner, { ringId: 'r3', accountId, phoneNumber: '+14155550123', seconds: 25 }))
  fail(inner => stopRing(inner, 'r2'))
  world.advance(54_999)
  assert.deepEqual([ends(), one.rings()], [[], []])
  world.advance(1)
  assert.deepEqual([ends(), one.rings()], [['r1 failed'], ['stop r1', 'r2']])
  one.rang('r2', 'rang')
  assert.deepEqual([ends(), one.rings()], [['r2 rang'], []])
})
