import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RECEIVED_PER_MINUTE_MAX } from '#contracts/bounds.ts'
import { RECEIVED_BURST_MAX } from '#domain/device/phone.ts'
import type { Effect } from '#domain/effect.ts'
import { CodeWorld } from '#test/kit/code-world.ts'

const isClose = (effect: Effect) => effect.kind === 'order' && effect.order.type === 'close'

test('a phone that floods with received texts is disconnected, and can continue later', () => {
  const world = new CodeWorld()
  world.connectPhone()
  let last = 0
  const receive = () =>
    world.sendFrame({ type: 'received', id: `r${++last}`, from: '+1', message: 'x', at: null, simSlot: null })
  const stored = () => Number(world.database.prepare('SELECT count(*) AS n FROM received').get()?.['n'])
  for (let i = 0; i < RECEIVED_BURST_MAX; i += 1) receive()
  assert.ok(!world.effects.some(isClose))
  for (let i = 0; i < 20; i += 1) receive()
  assert.equal(stored(), RECEIVED_BURST_MAX)
  assert.equal(world.effects.filter(isClose).length, 1)

  world.connectPhone()
  receive()
  assert.equal(world.effects.filter(isClose).length, 2)
  const warnings = world.effects.filter(effect => effect.kind === 'log' && effect.level === 'warn')
  assert.equal(warnings.length, 1, 'the log has one warning, however often the phone reconnects')

  world.advance(60_000)
  world.connectPhone()
  for (let i = 0; i < 2 * RECEIVED_PER_MINUTE_MAX; i += 1) receive()
  assert.equal(stored(), RECEIVED_BURST_MAX + RECEIVED_PER_MINUTE_MAX)
})
