import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeDay } from '#domain/account/day-counts.ts'
import { dayOf } from '#domain/time.ts'
import { openDayCountReader } from '#storage/day-counts.ts'
import { CodeWorld } from '#test/kit/code-world.ts'
import { acceptedIn, messageToAccept } from '#test/kit/messages.ts'

test('a day adds up the outcomes of its messages, without the sandbox', () => {
  const world = new CodeWorld()
  world.connectPhone()
  const send = () => acceptedIn(world.ask('message.accept', messageToAccept(world.accountId))).messageId
  const ids = [send(), send(), send()]
  world.issue({ test: true })
  for (const id of ids) world.sendFrame({ type: 'begin', messageId: id, attempt: 1 })
  world.advance(1500)
  world.report(ids[0] ?? '', 'sent')
  world.report(ids[1] ?? '', 'sent')
  world.report(ids[1] ?? '', 'delivered')
  world.report(ids[1] ?? '', 'delivered')
  world.report(ids[2] ?? '', 'failed', 'PERMANENT')
  world.sendFrame({ type: 'received', id: 'r', from: 'x', message: 'y', at: null, simSlot: null })
  const day = dayOf(world.wallMs)
  const values = openDayCountReader(world.database)(world.accountId, day, day).get(day)
  const { deliveryMs, deliveredWithin, ...counts } = describeDay(day, values)
  assert.deepEqual(counts, {
    ...{ day: '2026-01-15', accepted: 3, delivered: 1, sent: 1, failed: 1 },
    ...{ received: 1, twoFactor: 0, alerts: 0 },
  })
  assert.deepEqual(deliveryMs, { p50: 1500, p95: 1950 })
  assert.deepEqual(deliveredWithin, { s5: 1, s30: 1, s300: 1 })
  assert.deepEqual(describeDay(day).deliveryMs, { p50: null, p95: null })
})
